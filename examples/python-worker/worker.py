#!/usr/bin/env python3
"""A worker in plain Python with aiohttp: does tasks of type `greet`, several at once, and obeys cancels."""
import asyncio, os, signal, socket, sys, uuid

import aiohttp

URL = os.environ.get("ORCHESTRATOR_URL", "http://127.0.0.1:8080") + "/_worker"
# Two processes under one name would end each other's tasks.
WORKER = os.environ.get("WORKER_ID") or f"python-worker-{socket.gethostname()}-{os.getpid()}"
INSTANCE = uuid.uuid4().hex  # so that registering again is not taken for a restart
SLOTS = 4
GRACE = float(os.environ.get("GRACE_SECONDS", 30))  # for running tasks when this worker is to end
BROKEN = (aiohttp.ClientError, asyncio.TimeoutError)
running = {}  # task_id -> asyncio task


class Refused(Exception):
    """The orchestrator does not accept the token, and will not the next time either."""


def check_token(answer):
    if answer.status in (401, 403):
        raise Refused(f"{URL} refuses the token of {WORKER} ({answer.status}): set WORKER_TOKEN to one that is valid there")


async def greet(params):
    await asyncio.sleep(params.get("seconds", 0))
    return {"greeting": f"Hello from aiohttp, {params['name']}!"}


HANDLERS = {"greet": greet}


async def register(http):
    me = {"worker_id": WORKER, "instance": INSTANCE, "supported_tasks": list(HANDLERS),
          "max_concurrent_tasks": SLOTS, "lease_ms": 30_000}
    async with http.post(f"{URL}/workers/register", json=me) as answer:
        check_token(answer)
        answer.raise_for_status()
    print(f"{WORKER} is registered", flush=True)


async def heartbeats(http):
    """Names what it has, so that nothing else is kept for it, and hears what to give up."""
    while True:
        await asyncio.sleep(5)
        try:
            beat = {"instance": INSTANCE, "load": len(running), "current_tasks": list(running)}
            async with http.patch(f"{URL}/workers/{WORKER}", json=beat) as answer:
                check_token(answer)
                if answer.status == 404:
                    await register(http)
                elif answer.status == 200:
                    orders = await answer.json()
                    if "warning" in orders:
                        print(f"{WORKER}: {orders['warning']}", flush=True)
                    for task_id in orders.get("cancel_task_ids", []):
                        if task_id in running:
                            running[task_id].cancel()
        except BROKEN:
            pass  # the next one may get through


async def outcome(task):
    try:
        return {"status": "success", "data": await HANDLERS[task["type"]](task["params"])}
    except asyncio.CancelledError:
        return {"status": "cancelled"}
    except KeyError as missing:
        return {"status": "failure", "error": {"code": "INVALID_INPUT_ERROR", "message": f"{missing} is missing"}}
    except Exception as problem:
        return {"status": "failure", "error": {"code": "TRANSIENT_ERROR", "message": str(problem)}}


async def report(http, task, result):
    """200 means: do not send it again."""
    body = {"job_id": task["job_id"], "task_id": task["task_id"], "worker_id": WORKER, "result": result}
    while True:
        try:
            async with http.post(f"{URL}/tasks/result", json=body) as answer:
                if answer.status not in (429, 500, 502, 503, 504):
                    return
        except BROKEN:
            pass
        await asyncio.sleep(1)


async def work(http, task):
    try:
        await report(http, task, await outcome(task))
    finally:
        del running[task["task_id"]]


async def polls(http):
    while True:
        if len(running) >= SLOTS:
            await asyncio.wait(running.values(), return_when=asyncio.FIRST_COMPLETED)
            continue
        try:
            timeout = aiohttp.ClientTimeout(total=40)  # a poll is held for 30 s
            async with http.get(f"{URL}/workers/{WORKER}/tasks/next", timeout=timeout) as answer:
                check_token(answer)
                if answer.status == 200:
                    task = await answer.json()
                    running[task["task_id"]] = asyncio.create_task(work(http, task))
                    print(f"{WORKER} works on {task['type']} of job {task['job_id']}", flush=True)
                elif answer.status != 204:
                    await asyncio.sleep(float(answer.headers.get("Retry-After", 1)))
        except BROKEN as problem:
            print(f"trying again: {problem}", flush=True)
            await asyncio.sleep(1)


async def notify(call):
    """Sends the orchestrator what it should know; one that is away finds it out by itself."""
    try:
        async with call as answer:
            return answer.status < 300
    except BROKEN as problem:
        print(f"the orchestrator is away: {problem}", flush=True)
        return False


async def serve(http):
    """Takes tasks until it is cancelled, or refused."""
    while True:
        try:
            await register(http)
            break
        except BROKEN as problem:
            print(f"trying again: {problem}", flush=True)
            await asyncio.sleep(1)
    beating, polling = asyncio.create_task(heartbeats(http)), asyncio.create_task(polls(http))
    try:
        done, _ = await asyncio.wait([beating, polling], return_when=asyncio.FIRST_EXCEPTION)
        done.pop().result()  # raises the refusal
    finally:
        # First no more tasks, then the end of what is there; heartbeats keep the leases for so long.
        polling.cancel()
        await notify(http.post(f"{URL}/workers/{WORKER}/drain"))
        if running:
            _, late = await asyncio.wait(list(running.values()), timeout=GRACE)
            for task in late:
                print("a task is not over in time; the orchestrator will give it to another worker", flush=True)
                task.cancel()
        beating.cancel()


async def main():
    async with aiohttp.ClientSession(headers={"Authorization": "Bearer " + os.environ["WORKER_TOKEN"]}) as http:
        serving = asyncio.create_task(serve(http))
        for end in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(end, serving.cancel)
        try:
            await serving
        except asyncio.CancelledError:
            if await notify(http.delete(f"{URL}/workers/{WORKER}")):
                print(f"{WORKER} has left", flush=True)
        except Refused as refusal:
            sys.exit(str(refusal))


if __name__ == "__main__":
    asyncio.run(main())
