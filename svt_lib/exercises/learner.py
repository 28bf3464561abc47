"""A learner's code, run so that nothing it does can stop the notebook.

An attempt runs in a thread of its own. That works on every system, unlike an alarm signal. A call that takes
too long gets an exception from outside; code that swallows even that is left behind, and the check goes on.
"""

import contextlib
import ctypes
import io
import sys
import threading
import time
import traceback
from collections.abc import Callable

from svt_lib.exercises.exercise import Mistake, NotAttempted

#: Seconds that one call may take, and a whole check. A right solution needs milliseconds and a few seconds.
CALL_SECONDS, CHECK_SECONDS = 4.0, 180.0
#: Seconds that code which was told to stop gets to do so.
GRACE_SECONDS = 1.0


class TimeUp(BaseException):
    """Set in the thread of an attempt that takes too long; not an Exception, which learners may catch."""


class Learner:
    """A learner's function. What it raises becomes a `Mistake`, and its calls are timed."""

    def __init__(self, function: Callable):
        self.function = function
        self.called_at: float | None = None

    def __call__(self, *arguments, **named):
        """Call it; a stub raises `NotAttempted`."""
        self.called_at = time.monotonic()
        try:
            result = self.function(*arguments, **named)
        except (TimeUp, NotAttempted, Mistake):
            raise
        except NotImplementedError:
            raise NotAttempted from None
        except BaseException as error:
            raise Mistake(f"Your code stopped with {_describe(error)}") from None
        finally:
            self.called_at = None
        if result is ...:
            raise NotAttempted
        return result


def _describe(error: BaseException) -> str:
    """Return an error and the line of the learner's code at which it came up."""
    frames = traceback.extract_tb(error.__traceback__)[1:2]
    line = f", in line {frames[0].lineno} of its cell" if frames else ""
    text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return f"{text}{line}."


def bounded(work: Callable, learner: Learner | None = None):
    """Return what `work` returns, or raise what it raises, within `CHECK_SECONDS`.

    Raises
    ------
    Mistake
        Where it takes longer, or one call of the learner's function takes `CALL_SECONDS`.
    """
    outcome: dict = {}

    def target():
        try:
            outcome["result"] = work()
        except BaseException as error:
            outcome["error"] = error

    thread = threading.Thread(target=target, daemon=True)
    try:
        page = sys.stdout
        with contextlib.redirect_stdout(io.StringIO()):  # thousands of calls would print thousands of lines
            thread.start()
            late = _wait(thread, learner, page)
    except BaseException:  # whoever interrupts the kernel interrupts the attempt
        _stop(thread)
        raise
    if late:
        ended = _stop(thread)
        left = "" if ended else " It doesn't let itself be stopped: restart the kernel to be rid of it."
        raise Mistake(f"{late} Is there a loop that never ends, or a slow way to draw noise?{left}")
    if "error" in outcome:
        raise outcome["error"]
    return outcome["result"]


def _wait(thread: threading.Thread, learner: Learner | None, page) -> str:
    """Wait until the thread ends, and return ""; or return which limit it broke. Meanwhile, count aloud."""
    begin, shown = time.monotonic(), 0
    while thread.is_alive():
        thread.join(0.05)
        now, called_at = time.monotonic(), learner.called_at if learner else None
        if called_at is not None and now - called_at > CALL_SECONDS:
            return f"One call of your function took more than {CALL_SECONDS:g} seconds."
        if now - begin > CHECK_SECONDS:
            return f"The check took more than {CHECK_SECONDS:g} seconds."
        if now - begin > shown + 1:
            shown += 1
            print(f"\rchecking, {shown} s ", end="", file=page, flush=True)
    if shown:
        print("\r" + " " * 16 + "\r", end="", file=page)
    return ""


def _stop(thread: threading.Thread) -> bool:
    """Raise `TimeUp` in a thread; return whether that ended it."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(TimeUp))
    thread.join(GRACE_SECONDS)
    return not thread.is_alive()
