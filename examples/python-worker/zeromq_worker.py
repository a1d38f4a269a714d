#!/usr/bin/env python3
"""A worker on ZeroMQ (PUSH/1) in plain Python with pyzmq: tasks are pushed to it. Does tasks of type `greet`, several at once."""
import json, os, queue, signal, socket, sys, threading, time, traceback, uuid

import zmq

HOST = os.environ.get("ORCHESTRATOR_HOST", "127.0.0.1")
PORTS = [int(p) for p in os.environ.get("ZEROMQ_PORTS", "5555,5556,5557").split(",")]  # registration, tasks, results
# A second process under a name that is in use is refused.
WORKER = os.environ.get("WORKER_ID") or f"python-worker-{socket.gethostname()}-{os.getpid()}"
# Nobody else may know it: ZeroMQ gives the messages for an identity to the peer that connected with it last.
IDENTITY = ("~" + uuid.uuid4().hex).encode()
TOKEN = os.environ.get("WORKER_TOKEN", "")
INSTANCE = str(uuid.uuid4())  # fresh for each process
SLOTS = 4
GRACE = float(os.environ.get("GRACE_SECONDS", 30))  # for running tasks when this worker is to end
LARGE = 256 << 10  # larger results travel in a frame of their own
RESEND, LONGEST_RESEND = 2.0, 30.0
FAREWELL = 0.2


class Cancelled(Exception):
    """The orchestrator does not wait for this attempt any more."""


def greet(params, cancelled):
    if cancelled.wait(params.get("seconds", 0)):
        raise Cancelled()
    return {"greeting": f"Hello from ZeroMQ, {params['name']}!"}


HANDLERS = {"greet": greet}


class Attempt:
    """A task that this worker has: from TASK until its RESULT_ACK."""

    def __init__(self, task):
        self.task, self.cancelled, self.result = task, threading.Event(), None
        self.resend_at, self.pause = 0.0, RESEND

    def run(self, done):
        started = time.time()
        try:
            value = HANDLERS[self.task["function_id"]](self.task["kwargs"], self.cancelled)
            outcome = {"status": "COMPLETED", "result": value}
        except Cancelled:
            outcome = {"status": "CANCELLED"}
        except KeyError as missing:
            outcome = failure("BAD_PAYLOAD", "SerializationError", f"{missing} is missing")
        except BaseException as problem:  # whatever it is, the worker goes on, and the orchestrator hears of it
            name = type(problem).__name__
            outcome = failure("EXECUTION", "FunctionExecutionFailure", f"{name}: {problem}", traceback.format_exc(limit=20))
        outcome.update(started_at=int(started * 1000), finished_at=int(time.time() * 1000))
        done(self, outcome)


def failure(category, kind, message, trace=""):
    error = {"error_type": kind, "category": category, "message": message, "traceback": trace}
    return {"status": "FAILED", "error": error}


class Worker:
    """One thread owns the sockets; tasks run in others, and hand their results over."""

    def __init__(self):
        context = zmq.Context()
        self.registration, self.tasks, self.results = (self.connect(context, port) for port in PORTS)
        self.done, (self.bell, self.ringer) = queue.Queue(), socket.socketpair()
        self.poller = zmq.Poller()
        for one in (self.registration, self.tasks, self.results):
            self.poller.register(one, zmq.POLLIN)
        self.poller.register(self.bell, zmq.POLLIN)
        self.attempts, self.session, self.greeted = {}, None, set()
        self.interval, self.seq = 0.5, 0
        self.next_ready = self.next_beat = self.next_hello = 0.0
        self.leaving_until, self.refused = None, None

    def connect(self, context, port):
        dealer = context.socket(zmq.DEALER)
        dealer.setsockopt(zmq.IDENTITY, IDENTITY)
        dealer.setsockopt(zmq.LINGER, 500)
        if "CURVE_SERVER_KEY" in os.environ:
            dealer.setsockopt(zmq.RECONNECT_IVL, 250)  # few encrypted connections a second are let in
            public, secret = zmq.curve_keypair()
            dealer.curve_serverkey = os.environ["CURVE_SERVER_KEY"].encode()
            dealer.curve_publickey = os.environ.get("CURVE_PUBLIC_KEY", public.decode()).encode()
            dealer.curve_secretkey = os.environ.get("CURVE_SECRET_KEY", secret.decode()).encode()
        dealer.connect(f"tcp://{HOST}:{port}")
        return dealer

    def send(self, dealer, kind, body, attachments=()):
        if attachments:
            body = dict(body, attachments=len(attachments))
        dealer.send_multipart([b"", b"PUSH/1", kind.encode(), json.dumps(body).encode(), *attachments])

    def me(self):
        return {"worker_id": WORKER, "instance": INSTANCE, "session": self.session}

    def run(self):
        while self.refused is None and not self.has_left():
            self.send_what_is_due(time.monotonic())
            for ready, _ in self.poller.poll(50):
                if ready == self.bell.fileno():
                    self.bell.recv(4096)
                else:
                    self.receive(ready)
            while not self.done.empty():
                attempt, outcome = self.done.get()
                attempt.result = outcome
        if self.refused:
            print(self.refused, flush=True)
            return 1
        abandoned = list(self.attempts)
        if abandoned:
            print(f"{len(abandoned)} tasks are not over in time", flush=True)
        self.send(self.registration, "BYE", {"reason": "the worker ends", "abandoned": abandoned})
        time.sleep(FAREWELL)
        return 0

    def has_left(self):
        return self.leaving_until is not None and (not self.attempts or time.monotonic() > self.leaving_until)

    def send_what_is_due(self, now):
        if self.session is None:
            if now >= self.next_ready:
                self.next_ready = now + 1
                self.send(self.registration, "READY", {
                    "worker_id": WORKER, "instance": INSTANCE, "capacity": SLOTS, "token": TOKEN,
                    "labels": {}, "task_types": list(HANDLERS),
                    "running": [about(one.task) for one in self.attempts.values()]})
            return
        if now >= self.next_beat:
            self.next_beat, self.seq = now + self.interval, self.seq + 1
            busy = sum(one.result is None for one in self.attempts.values())
            self.send(self.registration, "HEARTBEAT", dict(
                self.me(), seq=self.seq, capacity=SLOTS, idle=SLOTS - busy, running=list(self.attempts)))
        if len(self.greeted) < 2 and now >= self.next_hello:
            self.next_hello = now + 0.25
            self.send(self.tasks, "HELLO", self.me())
            self.send(self.results, "HELLO", self.me())
        for attempt in self.attempts.values():
            if attempt.result is not None and now >= attempt.resend_at:
                attempt.resend_at = now + attempt.pause
                attempt.pause = min(LONGEST_RESEND, attempt.pause * 2)
                self.report(attempt)

    def report(self, attempt):
        body, attachments = dict(about(attempt.task), attempt=attempt.task["attempt"], **attempt.result), []
        text = json.dumps(body.get("result")).encode()
        if len(text) > LARGE:
            body["result"], attachments = {"$frame": 0}, [text]
        self.send(self.results, "RESULT", body, attachments)

    def receive(self, dealer):
        while True:
            try:
                _, _, kind, body, *attachments = dealer.recv_multipart(zmq.NOBLOCK)
            except zmq.Again:
                return
            handle = getattr(self, "on_" + kind.decode().lower(), None)
            if handle:
                handle(json.loads(body), dealer, attachments)

    def on_welcome(self, body, *_):
        self.session, self.greeted, self.next_hello = body["session"], set(), 0.0
        self.interval = body["heartbeat_interval_ms"] / 1000
        self.give_up(body["revoke"])
        print(f"{WORKER} is registered", flush=True)

    def on_reregister(self, *_):
        self.session = None

    def on_reject(self, body, *_):
        if body["code"] == "BAD_TOKEN":
            self.refused = f"the orchestrator refuses the token of {WORKER}: set WORKER_TOKEN to one that is valid there"
        else:
            print(f"refused: {body['code']} {body['message']}", flush=True)

    def on_heartbeat_ack(self, body, *_):
        self.give_up(body["revoke"])

    def on_shutdown(self, body, *_):
        self.leave(body["grace_ms"] / 1000)

    def on_hello_ok(self, body, dealer, *_):
        if body["session"] == self.session:
            self.greeted.add(dealer)

    def on_task(self, task, _, attachments):
        if task["lease_id"] in self.attempts:
            return
        refuse = "DRAINING" if self.leaving_until else None
        if sum(one.result is None for one in self.attempts.values()) >= SLOTS:
            refuse = "NO_CAPACITY"
        elif task["function_id"] not in HANDLERS:
            refuse = "UNKNOWN_FUNCTION"
        if refuse:
            self.send(self.tasks, "REFUSE", dict(about(task), code=refuse, message=f"{WORKER} does not take it"))
            return
        if isinstance(task["kwargs"].get("$frame"), int) and attachments:
            task["kwargs"] = json.loads(attachments[task["kwargs"]["$frame"]])
        self.send(self.tasks, "ACCEPT", about(task))
        attempt = self.attempts[task["lease_id"]] = Attempt(task)
        print(f"task {task['task_id']} is accepted", flush=True)
        threading.Thread(target=attempt.run, args=(self.finished,), daemon=True).start()

    def finished(self, attempt, outcome):
        """In the thread of the task."""
        self.done.put((attempt, outcome))
        self.ringer.send(b"!")

    def on_cancel(self, body, *_):
        self.give_up([body["lease_id"]])

    def on_result_ack(self, body, *_):
        self.attempts.pop(body["lease_id"], None)

    def give_up(self, leases):
        for lease in leases:
            if lease in self.attempts:
                self.attempts[lease].cancelled.set()

    def leave(self, grace):
        if self.leaving_until is None:
            self.leaving_until = time.monotonic() + grace
            self.send(self.registration, "DRAIN", {"reason": "the worker ends", "grace_ms": int(grace * 1000)})


def about(task):
    return {"task_id": task["task_id"], "lease_id": task["lease_id"]}


if __name__ == "__main__":
    worker = Worker()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: worker.leave(GRACE))
    sys.exit(worker.run())
