"""Tries to reach what a sandbox must not reach. Prints one JSON object: what was reached, and how calls were refused."""
import ctypes, fcntl, json, os, socket, struct, sys, termios

asked = json.loads(sys.argv[1])
libc = ctypes.CDLL(None, use_errno=True)


def reached(attempt):
    try:
        return bool(attempt())
    except Exception:
        return False


def read(path):
    return open(path, "rb").read()


def connect(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as s:
        s.settimeout(3)
        s.connect(address)
        return True


def write_system():
    with open("/usr/bin/true", "r+b"):
        return True


def unshare():
    child = os.fork()
    if child == 0:
        os._exit(0 if libc.unshare(0x10000000) == 0 else 1)
    return os.waitpid(child, 0)[1] == 0


def refusal(number, *arguments):
    """errno of a system call; 0 when it was let through."""
    ctypes.set_errno(0)
    result = libc.syscall(number, *arguments)
    return ctypes.get_errno() if result < 0 else 0


def push_input():
    try:
        fcntl.ioctl(0, termios.TIOCSTI, b"\x00")
        return 0
    except OSError as error:
        return error.errno


print("RESULT" + json.dumps({
    "reached": {
        "foreign_file": reached(lambda: read(asked["canary"])),
        "agent_state": reached(lambda: os.listdir(asked["dataDir"])),
        "foreign_home": reached(lambda: os.listdir(asked["home"])),
        "path_socket": reached(lambda: connect(socket.AF_UNIX, asked["pathSocket"])),
        "abstract_socket": reached(lambda: connect(socket.AF_UNIX, "\0" + asked["abstractSocket"])),
        "host_loopback": reached(lambda: connect(socket.AF_INET, ("127.0.0.1", asked["port"]))),
        "host_address": reached(lambda: connect(socket.AF_INET, (asked["address"], asked["port"]))),
        "foreign_process": reached(lambda: read("/proc/%d/cmdline" % asked["pid"])),
        "system_files": reached(write_system),
        "user_namespace": reached(unshare),
        "devices": reached(lambda: os.path.exists(asked["device"])),
    },
    "refused": {
        "keyctl": refusal(250, 0, -3, 0),
        "perf_event_open": refusal(298, 0, 0, -1, -1, 0),
        "userfaultfd": refusal(323, 0),
        "io_uring_setup": refusal(425, 1, 0),
        "push_input": push_input(),
        "window_size": 0 if fcntl.ioctl(0, termios.TIOCGWINSZ, b"\0" * 8) else -1,
    },
    "descriptors": sorted(int(n) for n in os.listdir("/proc/self/fd") if os.path.exists("/proc/self/fd/" + n) and not os.readlink("/proc/self/fd/" + n).startswith("/proc")),
    "variables": sorted(n for n in os.environ if n.startswith(("BERTH", "SECRET"))),
    "processes": len([n for n in os.listdir("/proc") if n.isdigit()]),
    "capabilities": [l.split()[1] for l in open("/proc/self/status") if l.startswith(("CapEff", "CapBnd", "NoNewPrivs"))],
    "interfaces": socket.if_nameindex(),
}))
