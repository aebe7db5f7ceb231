/**
 * Fixed text: starts the notebook's server as `python -m jupyterlab` does, with the arguments that follow.
 *
 * A module that is `None` cannot be imported, and jsonschema then leaves out its check of internationalised addresses, which
 * nothing in the server asks for: building that check's grammar takes two thirds of the server's start (1.0 s of 1.5 s of
 * processor time with JupyterLab 4.6).
 */
const WITHOUT_GRAMMAR = `sys.modules["rfc3987_syntax"] = None
runpy.run_module("jupyterlab", run_name="__main__", alter_sys=True)`

/** In a plain process. */
export const START_PLAIN_SERVER = `import runpy, sys
${WITHOUT_GRAMMAR}`

/**
 * In a sandbox: the folder for what a notebook installs is there before the first kernel looks for it (a program may have
 * put something else in its place, which is its own affair).
 */
export const START_SERVER = `import os, runpy, sys
version = os.environ.pop("KERNEL_VERSION", "%d.%d" % sys.version_info[:2])
try:
    os.makedirs(os.path.expanduser("~/.local/lib/python%s/site-packages" % version), exist_ok=True)
except OSError:
    pass
${WITHOUT_GRAMMAR}`
