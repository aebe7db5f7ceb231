"""The most that a terminal gives: `yes` on a pseudo-terminal whose reader throws everything away. Prints MB/s."""

import os
import pty
import signal
import sys
import time

seconds = float(sys.argv[1])
pid, terminal = pty.fork()
if pid == 0:
    os.execvp("yes", ["yes"])
count = 0
begin = time.monotonic()
while time.monotonic() - begin < seconds:
    count += len(os.read(terminal, 65536))
print(count / 1e6 / (time.monotonic() - begin))
os.kill(pid, signal.SIGKILL)
os.waitpid(pid, 0)
