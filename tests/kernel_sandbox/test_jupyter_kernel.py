"""jupyter_kernel_test on the confined kernel: each of its tests is run, and passes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import kernel_sandbox

PROGRAM = """
import json, sys, unittest, warnings
warnings.simplefilter("ignore")
import jupyter_kernel_test

class IPythonKernel(jupyter_kernel_test.KernelTests):
    kernel_name = sys.argv[1]
    language_name = "python"
    file_extension = ".py"
    code_hello_world = "print('hello, world')"
    code_stderr = "import sys; print('test', file=sys.stderr)"
    completion_samples = [{"text": "zi", "matches": {"zip"}}]
    complete_code_samples = ["1", "print('hello, world')", "def f(x):\\n  return x*2\\n\\n\\n"]
    incomplete_code_samples = ["print('''hello", "def f(x):\\n  x*2"]
    invalid_code_samples = ["import = 7q"]
    code_page_something = "zip?"
    code_generate_error = "raise ValueError('x')"
    code_execute_result = [{"code": "1+2+3", "result": "6"}, {"code": "[n*n for n in (1, 2)]", "result": "[1, 4]"}]
    code_display_data = [
        {"code": "from IPython.display import HTML, display; display(HTML('<b>x</b>'))", "mime": "text/html"},
        {"code": "from IPython.display import Math, display; display(Math('x'))", "mime": "text/latex"},
    ]
    code_history_pattern = "1?2*"
    supported_history_operations = ("tail", "range", "search")
    code_inspect_sample = "zip"
    code_clear_output = "from IPython.display import clear_output; clear_output()"

result = unittest.TestResult()
tests = unittest.defaultTestLoader.loadTestsFromTestCase(IPythonKernel)
there = tests.countTestCases()
tests.run(result)
names = lambda pairs: sorted(str(test).split()[0] for test, _ in pairs)
failed, skipped = names(result.failures + result.errors), names(result.skipped)
print(json.dumps({"there": there, "run": result.testsRun, "failed": failed, "skipped": skipped}))
"""


def test_the_confined_kernel_runs_and_passes_every_test(tmp_path: Path) -> None:
    kernels = tmp_path / "jupyter" / "kernels"
    kernels.mkdir(parents=True)
    (kernels / "confined-python").symlink_to(Path(kernel_sandbox.__file__).parent / "kernelspec")
    finished = subprocess.run(
        [sys.executable, "-c", PROGRAM, "confined-python"],
        env=os.environ | {"JUPYTER_PATH": str(tmp_path / "jupyter")},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    outcome = json.loads(finished.stdout.splitlines()[-1])
    assert outcome["there"] >= 12
    assert outcome == {"there": outcome["there"], "run": outcome["there"], "failed": [], "skipped": []}
