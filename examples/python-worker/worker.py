#!/usr/bin/env python3
"""A worker in plain Python with aiohttp: does tasks of type `greet`, several at once, and obeys cancels."""
import asyncio, os, signal, uuid

import aiohttp

URL = os.environ.get("ORCHESTRATOR_URL", "http://127.0.0.1:8080") + "/_worker"
WORKER = os.environ.get("WORKER_ID", "python-worker")
INSTANCE = uuid.uuid4().hex  # so that registering again is not taken for a restart
SLOTS = 4
BROKEN = (aiohttp.ClientError, asyncio.TimeoutError)
running = {}  # task_id -> asyncio task


async def greet(params):
    await asyncio.sleep(params.get("seconds", 0))
    return {"greeting": f"Hello from aiohttp, {params['name']}!"}


HANDLERS = {"greet": greet}


async def register(http):
    me = {"worker_id": WORKER, "instance": INSTANCE, "supported_tasks": list(HANDLERS),
          "max_concurrent_tasks": SLOTS, "lease_ms": 30_000}
    async with http.post(f"{URL}/workers/register", json=me) as answer:
        answer.raise_for_status()
    print(f"{WORKER} is registered", flush=True)


async def heartbeats(http):
    """Names what it has, so that nothing else is kept for it, and hears what to give up."""
    while True:
        await asyncio.sleep(5)
        try:
            beat = {"load": len(running), "current_tasks": list(running)}
            async with http.patch(f"{URL}/workers/{WORKER}", json=beat) as answer:
                if answer.status == 404:
                    await register(http)
                elif answer.status == 200:
                    for task_id in (await answer.json()).get("cancel_task_ids", []):
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
            patience = aiohttp.ClientTimeout(total=40)  # a poll is held for 30 s
            async with http.get(f"{URL}/workers/{WORKER}/tasks/next", timeout=patience) as answer:
                if answer.status == 200:
                    task = await answer.json()
                    running[task["task_id"]] = asyncio.create_task(work(http, task))
                elif answer.status != 204:
                    await asyncio.sleep(float(answer.headers.get("Retry-After", 1)))
        except BROKEN as problem:
            print(f"trying again: {problem}", flush=True)
            await asyncio.sleep(1)


async def main():
    over = asyncio.Event()
    for end in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(end, over.set)
    async with aiohttp.ClientSession(headers={"X-Worker-Token": os.environ["WORKER_TOKEN"]}) as http:
        registered = False
        while not registered and not over.is_set():
            try:
                await register(http)
                registered = True
            except BROKEN as problem:
                print(f"trying again: {problem}", flush=True)
                await asyncio.sleep(1)
        beating, polling = asyncio.create_task(heartbeats(http)), asyncio.create_task(polls(http))
        await over.wait()
        # First no more tasks, then the end of what is there, then good-bye.
        async with http.post(f"{URL}/workers/{WORKER}/drain"):
            polling.cancel()
        if running:
            await asyncio.wait(list(running.values()), timeout=30)
        beating.cancel()
        async with http.delete(f"{URL}/workers/{WORKER}"):
            print(f"{WORKER} has left", flush=True)


if __name__ == "__main__":
    asyncio.run(main())
