#!/usr/bin/env python3
"""A worker as those of the first SDK generations behave, weaknesses included, written from the description of
their protocol: nothing of Artel's own code is used. Needs aiohttp.

Its settings are environment variables. GENERATION is one of
  alpha  registers and reports errors once, waits after a failed poll, sleeps also after its last failed delivery
  beta   does not wait at all after a failed poll while it is busy, and does not sleep after the last delivery
  flat   reports flat results, names what it holds, obeys cancels in heartbeat answers, leaves in order
What happens is printed as lines of JSON.
"""
import asyncio
import json
import os
import signal
import sys
import time

import aiohttp


def setting(name, default):
    return type(default)(os.environ.get(name, default))


URL = os.environ["ORCHESTRATOR_URL"]
GENERATION = setting("GENERATION", "alpha")
WORKER = os.environ["WORKER_ID"]
TOKEN = os.environ["WORKER_TOKEN"]
MOST = setting("MAX_CONCURRENT_TASKS", 10)
LIMITS = json.loads(os.environ.get("TASK_TYPE_LIMITS", "{}"))
HEARTBEAT = setting("HEARTBEAT_INTERVAL", 15.0)
DEBOUNCE = setting("WORKER_HEARTBEAT_DEBOUNCE_DELAY", 0.1)
POLL_TIMEOUT = setting("TASK_POLL_TIMEOUT", 30.0)
POLL_ERROR_DELAY = setting("TASK_POLL_ERROR_DELAY", 5.0)
IDLE_POLL_DELAY = setting("IDLE_POLL_DELAY", 0.01)
RETRIES = setting("RESULT_MAX_RETRIES", 5)
FIRST_DELAY = setting("RESULT_RETRY_INITIAL_DELAY", 1.0)
SOCKETS = os.environ.get("WORKER_ENABLE_WEBSOCKETS", "false") == "true"
LOSE_ANSWERS = setting("LOSE_ANSWERS", 0)  # of so many results the answer is not heard
HEADERS = {"X-Worker-Token": TOKEN}
FLAT = GENERATION == "flat"


def say(event, **more):
    print(json.dumps({"event": event, "at": time.time(), **more}), flush=True)


async def echo(params, **_):
    return {"status": "success", "data": {"echoed": params}}


async def nap(params, send_progress, task_id, job_id, **_):
    await send_progress(task_id, job_id, 0.5, "half asleep")
    await asyncio.sleep(params.get("millis", 100) / 1000)
    return {"status": "success", "data": {"slept": params.get("millis", 100)}}


async def word(params, **_):
    return {"status": params["word"], "data": {"word": params["word"]}}


async def nothing(params, **_):
    return None


async def broken(params, **_):
    raise RuntimeError("this handler always fails")


async def hopeless(params, **_):
    return {"status": "failure", "error": {"code": "PERMANENT_ERROR", "message": "nobody can do this"}}


# task name -> handler, label
SKILLS = {
    "echo": (echo, None),
    "noop": (echo, None),
    "nap": (nap, "sleep"),
    "doze": (nap, "sleep"),
    "word": (word, None),
    "nothing": (nothing, None),
    "broken": (broken, None),
    "hopeless": (hopeless, None),
}
OFFERED = os.environ.get("SKILLS", ",".join(SKILLS)).split(",")


class Worker:
    def __init__(self, session):
        self.session = session
        self.running = {}  # task id -> (task, label, asyncio task)
        self.of_label = {}
        self.most_of_label = {}
        self.debounced = None
        self.socket = None
        self.heard_about = set()
        self.results = 0
        self.leaving = False

    # What it says about itself

    def available(self):
        if len(self.running) >= MOST or self.leaving:
            return []
        return [
            name
            for name in OFFERED
            if name not in SKILLS or SKILLS[name][1] not in LIMITS
            or self.of_label.get(SKILLS[name][1], 0) < LIMITS[SKILLS[name][1]]
        ]

    async def register(self):
        if FLAT:
            me = {
                "worker_id": WORKER, "worker_type": "flat",
                "supported_skills": [{"name": name, "type": "", "version": "1.0"} for name in OFFERED],
                "max_concurrent_tasks": MOST,
                "resources": {"properties": {"cpu_cores": 4, "ram_gb": 8}, "devices": []},
                "capabilities": {"hostname": "h", "ip_address": "10.0.0.5", "cost_per_skill": {"echo": 0.5}},
                "installed_artifacts": [], "skills_hash": "0", "reputation": 99,
            }
        else:
            me = {
                "worker_id": WORKER, "worker_type": "generic-worker", "supported_tasks": OFFERED,
                "max_concurrent_tasks": MOST, "installed_models": [], "hostname": "h", "ip_address": "10.0.0.5",
                "resources": {"cpu_cores": 4, "gpu_info": None}, "reputation": 99,
            }
            if GENERATION == "beta":
                me["cost_per_skill"] = {}
        try:
            async with self.session.post(f"{URL}/_worker/workers/register", json=me, headers=HEADERS) as answer:
                say("registered", status=answer.status)
                return answer.status < 400
        except (aiohttp.ClientError, asyncio.TimeoutError) as problem:
            say("not registered", problem=repr(problem))
            return False

    async def heartbeat(self):
        available = self.available()
        body = {"load": len(self.running), "status": "idle" if available else "busy", "hot_cache": []}
        if FLAT:
            body["available_skills"] = available
            body["current_tasks"] = list(self.running)
            body["usage"] = {"cpu_load_percent": 3.5}
            if self.leaving:
                body["status"] = "offline"
        else:
            body["supported_tasks"] = available
        try:
            path = f"{URL}/_worker/workers/{WORKER}"
            async with self.session.patch(path, json=body, headers=HEADERS) as answer:
                if answer.status >= 400:
                    say("heartbeat refused", status=answer.status)
                    if FLAT and answer.status in (401, 404):
                        await self.register()
                elif FLAT:
                    reply = await answer.json()
                    for task_id in reply.get("cancel_task_ids", []):
                        self.cancel(task_id, "heartbeat")
        except (aiohttp.ClientError, asyncio.TimeoutError):
            pass  # it never cares

    async def heartbeats(self):
        while True:
            await asyncio.sleep(HEARTBEAT)
            await self.heartbeat()

    def heartbeat_soon(self):
        """Debounced: the last one wins."""
        if self.debounced:
            self.debounced.cancel()
        self.debounced = asyncio.create_task(self.heartbeat_after_a_moment())

    async def heartbeat_after_a_moment(self):
        await asyncio.sleep(DEBOUNCE)
        self.debounced = None
        await self.heartbeat()

    # Tasks

    async def poll(self):
        while not self.leaving:
            if len(self.running) >= MOST or not self.available():
                await asyncio.sleep(IDLE_POLL_DELAY)
                continue
            status = await self.poll_once()
            if status not in (200, 204):
                say("poll failed", status=status)
                if GENERATION == "beta":
                    await asyncio.sleep(0 if self.running else IDLE_POLL_DELAY)
                else:
                    await asyncio.sleep(POLL_ERROR_DELAY)
            elif not self.running:
                await asyncio.sleep(IDLE_POLL_DELAY)

    async def poll_once(self):
        path = f"{URL}/_worker/workers/{WORKER}/tasks/next"
        limit = aiohttp.ClientTimeout(total=POLL_TIMEOUT + 5)
        try:
            async with self.session.get(path, headers=HEADERS, timeout=limit) as answer:
                if answer.status == 200:
                    self.begin(await answer.json())  # refuses any content type but JSON
                return answer.status
        except (aiohttp.ClientError, asyncio.TimeoutError) as problem:
            return repr(problem)

    def begin(self, task):
        task_id, label = task["task_id"], SKILLS.get(task["type"], (None, None))[1]
        self.of_label[label] = self.of_label.get(label, 0) + 1
        self.most_of_label[label] = max(self.most_of_label.get(label, 0), self.of_label[label])
        work = asyncio.create_task(self.work(task, label))
        self.running[task_id] = (task, label, work)
        say("begun", task=task_id, job=task["job_id"], type=task["type"], running=len(self.running),
            label=label, of_label=self.of_label[label], again=task_id in self.heard_about)
        self.heard_about.add(task_id)
        self.heartbeat_soon()

    async def work(self, task, label):
        try:
            result = await self.outcome(task)
            await self.deliver(task, result)
        finally:
            # Slot and load are free only after the delivery.
            self.of_label[label] -= 1
            del self.running[task["task_id"]]
            self.heartbeat_soon()

    async def outcome(self, task):
        if task["type"] not in SKILLS or task["type"] not in OFFERED:
            return self.unknown(task["type"])
        try:
            return await SKILLS[task["type"]][0](
                task["params"], task_id=task["task_id"], job_id=task["job_id"],
                priority=task.get("priority", 0), send_progress=self.send_progress)
        except asyncio.CancelledError:
            return {"status": "cancelled"}
        except Exception as problem:
            return {"status": "failure", "error": {"code": "TRANSIENT_ERROR", "message": str(problem)}}

    def unknown(self, name):
        if GENERATION == "alpha":
            return {"status": "failure", "error_message": f"Unsupported task: {name}"}
        error = {"code": "PERMANENT_ERROR", "message": f"Unsupported task: {name}"}
        return {"status": "failure", "error": error}

    def envelope(self, task, result):
        ids = {"job_id": task["job_id"], "task_id": task["task_id"], "worker_id": WORKER}
        if FLAT:
            flat = result or {}
            return {**ids, "status": flat.get("status", "success"), "data": flat.get("data"),
                    "error": flat.get("error"), "data_metadata": None}
        return {**ids, "result": result}

    async def deliver(self, task, result):
        """Delivered is what is answered 200, and nothing else."""
        for attempt in range(RETRIES):
            if await self.post_result(task, result, attempt):
                return
            if GENERATION == "alpha" or attempt + 1 < RETRIES:
                await asyncio.sleep(FIRST_DELAY * 2**attempt)
        say("dropped", task=task["task_id"])

    async def post_result(self, task, result, attempt):
        body = self.envelope(task, result)
        self.results += 1
        is_deaf = self.results <= LOSE_ANSWERS
        try:
            async with self.session.post(f"{URL}/_worker/tasks/result", json=body, headers=HEADERS) as answer:
                text = await answer.text()
                say("answered", task=task["task_id"], job=task["job_id"], status=answer.status, text=text,
                    attempt=attempt, heard=not is_deaf)
                return answer.status == 200 and not is_deaf
        except (aiohttp.ClientError, asyncio.TimeoutError) as problem:
            say("not answered", task=task["task_id"], problem=repr(problem))
            return False

    def cancel(self, task_id, how):
        if task_id in self.running:  # others are not its business
            say("cancelled", task=task_id, how=how)
            self.running[task_id][2].cancel()

    # The socket

    async def send_progress(self, task_id, job_id, progress, message):
        if self.socket is not None and not self.socket.closed:
            frame = {"type": "progress_update", "task_id": task_id, "job_id": job_id, "progress": progress,
                     "message": message}
            await self.socket.send_json(frame)

    async def keep_socket(self):
        while True:
            try:
                path = URL.replace("http", "ws", 1) + "/_worker/ws"
                async with self.session.ws_connect(path, headers=HEADERS) as self.socket:
                    say("socket")
                    async for frame in self.socket:
                        if frame.type == aiohttp.WSMsgType.TEXT:
                            reply = frame.json()
                            if reply.get("type") == "cancel_task":
                                self.cancel(reply["task_id"], "socket")
            except aiohttp.ClientError as problem:
                say("no socket", problem=repr(problem))
            await asyncio.sleep(5)

    # Its life

    async def stop(self, what):
        say("stops", signal=what, running=len(self.running))
        if FLAT:
            self.leaving = True
            await self.heartbeat()
            if self.running:
                await asyncio.wait([work for _, _, work in self.running.values()], timeout=30)
            return
        works = [work for _, _, work in self.running.values()]
        for work in works:
            work.cancel()
        await asyncio.gather(*works, return_exceptions=True)


async def main():
    over = asyncio.get_running_loop().create_future()

    def end(name):
        if not over.done():
            over.set_result(name)

    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, end, "SIGINT")
    if FLAT:
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, end, "SIGTERM")
    async with aiohttp.ClientSession() as session:
        worker = Worker(session)
        is_registered = await worker.register()
        while FLAT and not is_registered:
            await asyncio.sleep(1)
            is_registered = await worker.register()
        await worker.heartbeat()
        loops = [worker.heartbeats(), worker.poll()] + ([worker.keep_socket()] if SOCKETS else [])
        running = [asyncio.create_task(loop) for loop in loops]
        await worker_stops(worker, over, running)
        say("ended", most=worker.most_of_label)


async def worker_stops(worker, over, running):
    name = await over
    if not FLAT:
        for loop in running:
            loop.cancel()
    await worker.stop(name)
    for loop in running:
        loop.cancel()


if __name__ == "__main__":
    asyncio.run(main())
    sys.exit(0)
