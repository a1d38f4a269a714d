"""Submits tasks through Redis and waits for their results, as its users do: SET, PUBLISH, GET.

Arguments: the port of Redis, a function, and the argument of each task. Prints the value of each task when it is over.
"""
import json
import sys
import time
import uuid

import redis

port, function, arguments = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
server = redis.Redis(port=port)
tasks = []
for argument in arguments:
    task_id = str(uuid.uuid4())
    task = {"task_id": task_id, "function_id": function, "args": [argument], "kwargs": {}, "status": "QUEUED", "result": None}
    server.set(task_id, json.dumps(task))
    server.publish("Tasks", task_id)
    tasks.append(task_id)

deadline = time.monotonic() + 60
for task_id in tasks:
    while True:
        task = json.loads(server.get(task_id))
        if task["status"] in ("COMPLETED", "FAILED"):
            print(json.dumps(task), flush=True)
            break
        if time.monotonic() > deadline:
            sys.exit(f"task {task_id} is {task['status']} after 60 s")
        time.sleep(0.02)
