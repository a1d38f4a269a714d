#!/usr/bin/env python3
"""A worker that needs nothing but Python: does tasks of type `greet`."""
import http.client, json, os, socket, sys, threading, time, urllib.error, urllib.request, uuid

URL = os.environ.get("ORCHESTRATOR_URL") or "http://127.0.0.1:8080"
TOKEN = os.environ.get("WORKER_TOKEN") or sys.exit("set WORKER_TOKEN: ./artel token show worker --data hello-data prints it")
# Two processes under one name would end each other's tasks.
WORKER = os.environ.get("WORKER_ID") or f"hello-python-{socket.gethostname()}-{os.getpid()}"
INSTANCE = uuid.uuid4().hex  # so that registering again is not taken for a restart
at_work = []  # the ids of the tasks that it has, at most one here
BROKEN = (OSError, http.client.HTTPException)


def greet(params):
    return {"greeting": f"Hello from Python, {params['name']}!"}


def call(method, path, body=None, timeout=10):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": "Bearer " + TOKEN, "Content-Type": "application/json"}
    request = urllib.request.Request(URL + "/_worker" + path, data, headers, method=method)
    with urllib.request.urlopen(request, timeout=timeout) as answer:
        text = answer.read()
        return json.loads(text) if text else None


def register():
    me = {"worker_id": WORKER, "instance": INSTANCE, "supported_tasks": ["greet"], "max_concurrent_tasks": 1}
    call("POST", "/workers/register", me)
    print(f"{WORKER} is registered", flush=True)


def stay_alive():
    while True:
        time.sleep(15)
        try:
            # Names what it has, so that a task which got lost on its way comes back soon.
            beat = {"instance": INSTANCE, "supported_tasks": ["greet"], "current_tasks": list(at_work)}
            if warning := (call("PATCH", f"/workers/{WORKER}", beat) or {}).get("warning"):
                print(f"{WORKER}: {warning}", flush=True)
        except BROKEN:
            pass  # the main loop registers again


def outcome_of(task):
    try:
        return {"status": "success", "data": greet(task["params"])}
    except KeyError as missing:
        return {"status": "failure", "error": {"code": "INVALID_INPUT_ERROR", "message": f"{missing} is missing"}}
    except Exception as problem:
        return {"status": "failure", "error": {"code": "TRANSIENT_ERROR", "message": str(problem)}}


def report(task, outcome):
    result = {"job_id": task["job_id"], "task_id": task["task_id"], "worker_id": WORKER, "result": outcome}
    while True:
        try:
            return call("POST", "/tasks/result", result)
        except urllib.error.HTTPError as refusal:
            if refusal.code not in (429, 503):
                return print(f"{task['task_id']}: {refusal}", flush=True)
        except BROKEN:
            pass
        time.sleep(1)


def main():
    threading.Thread(target=stay_alive, daemon=True).start()
    is_known = False
    while True:
        try:
            if not is_known:
                register()
                is_known = True
            task = call("GET", f"/workers/{WORKER}/tasks/next", timeout=40)
            if task:
                at_work.append(task["task_id"])
                report(task, outcome_of(task))
                at_work.clear()
        except BROKEN as problem:
            if getattr(problem, "code", None) in (401, 403):
                sys.exit(f"{URL} refuses the token of {WORKER} ({problem.code}): set WORKER_TOKEN to one that is valid there")
            print(f"trying again: {problem}", flush=True)
            is_known = False
            time.sleep(1)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        pass
