"""The example of a worker on ZeroMQ with the functions of tests, which take `args` and `kwargs` as tasks through Redis have them."""
import os, sys, time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "..", "..", "examples", "python-worker"))
import zeromq_worker  # noqa: E402


def double(n):
    return 2 * n


def fail(n):
    raise ValueError(f"{n} is not positive")


def run_out_of_memory():
    raise MemoryError("no room for a matrix")


def recurse(depth=0):
    return recurse(depth + 1)


def say_after(seconds, text):
    time.sleep(seconds)
    return text


def count(n):
    return list(range(n))


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def add_ten(n):
    return n + 10


def square(n):
    return n * n


FUNCTIONS = [double, fail, run_out_of_memory, recurse, say_after, count, fibonacci, add_ten, square]


def handler(function):
    return lambda params, cancelled: function(*params["args"], **params["kwargs"])


def nap(params, cancelled):
    if cancelled.wait(params["args"][0]):
        raise zeromq_worker.Cancelled()


offered = dict({function.__name__: handler(function) for function in FUNCTIONS}, nap=nap)
names = os.environ.get("FUNCTIONS", ",".join(offered)).split(",")
zeromq_worker.HANDLERS = {name: offered[name] for name in names}
zeromq_worker.SLOTS = int(os.environ.get("SLOTS", "4"))

if __name__ == "__main__":
    sys.exit(zeromq_worker.Worker().run())
