#!/usr/bin/env python3
"""An agent on MindBus: RabbitMQ, CloudEvents 1.0 in structured JSON. Needs Debian's python3-pika.

    RABBITMQ_URL=amqp://guest:guest@localhost:5672/%2f MINDBUS_EXCHANGE=mindbus.main python3 python_agent.py

It registers, sends heartbeats, does one command at a time, and answers to the queue that the command names. It knows
nothing of the orchestrator: another one that keeps to the same messages serves it as well.
"""

import json
import os
import signal
import sys
import threading
import time
import uuid
from datetime import datetime, timezone

import pika

NAME = os.environ.get("AGENT_NAME", "agent.example.001")
TYPE = os.environ.get("AGENT_TYPE", "example")
EXCHANGE = os.environ.get("MINDBUS_EXCHANGE", "mindbus.main")
URL = os.environ.get("RABBITMQ_URL", "amqp://guest:guest@localhost:5672/%2f")
HEARTBEAT = float(os.environ.get("AGENT_HEARTBEAT", "10"))
LEASE = int(os.environ.get("AGENT_LEASE", str(max(1, int(3 * HEARTBEAT)))))
UID = str(uuid.uuid4())
JSON = "application/json"


def now():
    return datetime.now(timezone.utc).isoformat().replace("+00:00", "Z")


# What it can do: a function of the parameters each. An exception becomes an ERROR.

def echo(params):
    return {"action": "test.echo", "status": "completed", "echo": params.get("message"), "echo_params": params}


def sleep(params):
    time.sleep(float(params["seconds"]))
    return {"action": "test.sleep", "status": "completed", "slept": params["seconds"]}


def fail(params):
    raise {"value": ValueError, "timeout": TimeoutError, "key": KeyError}.get(params.get("how"), RuntimeError)("as asked")


def note(params):
    """Leaves a line in a file, and fails the first times: as something that is not there for a moment."""
    with open(params["file"], "a+") as notes:
        notes.write(params["line"] + "\n")
        notes.seek(0)
        times = notes.read().splitlines().count(params["line"])
    if times <= params.get("fail_first", 0):
        raise ConnectionError("not there for a moment")
    time.sleep(float(params.get("seconds", 0)))
    return {"action": "test.note", "status": "completed", "line": params["line"], "times": times}


ACTIONS = {"test.echo": echo, "test.sleep": sleep, "test.fail": fail, "test.note": note}

CODES = {
    "ValueError": "INVALID_ARGUMENT", "TypeError": "INVALID_ARGUMENT",
    "KeyError": "NOT_FOUND", "FileNotFoundError": "NOT_FOUND",
    "PermissionError": "PERMISSION_DENIED", "TimeoutError": "DEADLINE_EXCEEDED",
    "ConnectionError": "UNAVAILABLE", "NotImplementedError": "UNIMPLEMENTED",
}


def event(kind, data, subject=None, traceparent=None):
    envelope = {"specversion": "1.0", "type": kind, "source": NAME, "id": str(uuid.uuid4()), "time": now(), "data": data}
    if subject:
        envelope["subject"] = subject
    if traceparent:
        envelope["traceparent"] = traceparent
    return envelope


def properties(envelope, priority, correlation=None, expiration=None):
    return pika.BasicProperties(
        content_type=JSON, delivery_mode=2, priority=priority,
        correlation_id=correlation or envelope["id"], message_id=envelope["id"], expiration=expiration)


def publish_event(channel, kind, data):
    envelope = event("ai.team.event", {"event_type": kind, "event_data": data, "severity": "INFO"})
    channel.basic_publish(EXCHANGE, "evt." + kind, json.dumps(envelope).encode(), properties(envelope, 10))


def passport():
    labels = {"node.type": TYPE, "role": "example"}
    labels.update({"capability." + name: "true" for name in ACTIONS})
    return {
        "metadata": {"uid": UID, "name": NAME, "node_type": "agent", "labels": labels,
                     "annotations": {}, "creation_timestamp": datetime.utcnow().isoformat(), "version": "1.0.0"},
        "spec": {"node_type": "agent", "resources": None,
                 "capabilities": [{"name": name, "version": "1.0", "parameters": {}} for name in ACTIONS],
                 "endpoint": {"protocol": "amqp", "queue": "cmd." + NAME.replace(".", "_") + ".*"},
                 "configuration": {"agent_type": TYPE}},
        "status": {"phase": "Running",
                   "conditions": [{"type": "Ready", "status": "True", "last_transition_time": now()}],
                   "lease": {"holder_identity": NAME, "acquire_time": now(), "renew_time": now(),
                             "lease_duration_seconds": LEASE},
                   "current_tasks": 0, "total_tasks_processed": 0}}


class Agent:
    def __init__(self):
        self.done = set()
        self.processed = 0

    def answer(self, channel, command, properties_in, kind, data):
        envelope = event(kind, data, command.get("subject"), command.get("traceparent"))
        if properties_in.reply_to:
            channel.basic_publish("", properties_in.reply_to, json.dumps(envelope).encode(),
                                  properties(envelope, 20, command["id"], properties_in.expiration))

    def on_command(self, channel, method, properties_in, body):
        try:
            command = json.loads(body)
            data = command["data"]
            if (command["type"] != "ai.team.command" or command["specversion"] != "1.0"
                    or not isinstance(command["id"], str) or not isinstance(data.get("params", {}), dict)
                    or not 1 <= int(data.get("timeout_seconds") or 300) <= 3600):
                raise ValueError("no command")
        except (ValueError, KeyError, TypeError):
            channel.basic_nack(method.delivery_tag, requeue=False)
            return
        target = (data.get("context") or {}).get("target_node")
        if (target and target != NAME) or command["id"] in self.done:
            channel.basic_ack(method.delivery_tag)
            return
        started = time.monotonic()
        try:
            if data["action"] not in ACTIONS:
                raise NotImplementedError("no capability " + data["action"])
            output = ACTIONS[data["action"]](data.get("params", {}))
            self.done.add(command["id"])
            self.processed += 1
            self.answer(channel, command, properties_in, "ai.team.result", {
                "status": "SUCCESS", "output": output,
                "execution_time_ms": int((time.monotonic() - started) * 1000),
                "metrics": {"agent": NAME, "type": TYPE, "tasks_processed": self.processed}})
        except Exception as failure:  # what an action raises is its answer
            name = type(failure).__name__
            self.answer(channel, command, properties_in, "ai.team.error", {
                "error": {"code": CODES.get(name, "INTERNAL"), "message": str(failure) or name,
                          "retryable": name in ("TimeoutError", "ConnectionError", "OSError"),
                          "details": {"exception_type": name}},
                "execution_time_ms": int((time.monotonic() - started) * 1000)})
        channel.basic_ack(method.delivery_tag)


def heartbeats(agent):
    """Over a connection of its own: the other one is busy while a command runs."""
    channel = pika.BlockingConnection(pika.URLParameters(URL)).channel()
    while True:
        time.sleep(HEARTBEAT)
        publish_event(channel, "node.heartbeat", {
            "node_id": UID, "name": NAME, "renew_time": now(), "current_tasks": 0,
            "total_tasks_processed": agent.processed})


def main():
    agent = Agent()
    connection = pika.BlockingConnection(pika.URLParameters(URL))
    channel = connection.channel()
    # A lock: a second process of the same name is refused.
    channel.queue_declare("singleton." + NAME, exclusive=True, auto_delete=True)
    channel.exchange_declare(EXCHANGE, exchange_type="topic", durable=True)
    for pattern in ("cmd." + TYPE + ".#", "cmd." + NAME.replace(".", "_") + ".#"):
        queue = "mindbus." + pattern.replace("*", "any").replace(".", "_") + "." + uuid.uuid4().hex[:8]
        channel.queue_declare(queue, durable=True)
        channel.queue_bind(queue, EXCHANGE, pattern)
        channel.basic_consume(queue, agent.on_command)
    publish_event(channel, "node.registered", {
        "node_id": UID, "name": NAME, "node_type": "agent", "capabilities": list(ACTIONS),
        "labels": {}, "passport": passport()})

    def leave(*_):
        publish_event(channel, "node.deregistered", {
            "node_id": UID, "name": NAME, "reason": "GracefulShutdown",
            "total_tasks_processed": agent.processed})
        os._exit(0)

    signal.signal(signal.SIGTERM, leave)
    signal.signal(signal.SIGINT, leave)
    threading.Thread(target=heartbeats, args=(agent,), daemon=True).start()
    print("ready", NAME, UID, flush=True)
    channel.start_consuming()


if __name__ == "__main__":
    try:
        main()
    except pika.exceptions.AMQPError as lost:
        sys.exit("the bus is lost: " + repr(lost))
