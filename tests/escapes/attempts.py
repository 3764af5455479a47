# ruff: noqa: E501 - one attempt is one line, however long
"""Attempts to get out, as code. Each leaves a trace that is looked for from outside.

A trace is a secret that was printed, a changed or new file, a connection, a process that was made, ended or altered, an
object of the system. What leaves no such trace prints a WORD when the system call succeeded.

In the code, HOST holds what an attacker would know: paths, ports, process numbers. `show` prints, which is how a secret
would leave. `call` makes a raw system call. What the code keeps in `kept` stays open until it was looked at.
"""

from dataclasses import dataclass
from textwrap import dedent

PRELUDE = """
import ctypes, os, sys, struct
libc = ctypes.CDLL(None, use_errno=True)
# Most attempts end in an error, and to lay out its source takes longer than the attempt.
get_ipython().InteractiveTB.set_mode("Minimal")
kept = []
def show(x): print(x)
def call(number, *arguments):
    return libc.syscall(ctypes.c_long(number), *[ctypes.c_long(a) if isinstance(a, int) else a for a in arguments])
def keep(descriptor):
    if descriptor >= 0: kept.append(descriptor)
    return descriptor
def stay_connected():
    # A process whose line is closed is ended before it has done anything.
    for name in os.listdir('/proc/self/fd'):
        try: os.set_inheritable(int(name), True)
        except OSError: pass
"""


@dataclass(frozen=True)
class Attempt:
    """One way out. `needs_root` when an ordinary user could not do it without locks; `since` the Linux that has it."""

    name: str
    code: str
    needs_root: bool = False
    since: tuple[int, int] = (0, 0)


ATTEMPTS: list[Attempt] = []
# What the locks do not stop, by design; SECURITY.md says so.
BY_DESIGN = {"file metadata by stat", "link target by readlink"}


def add(group: str, *, needs_root: bool = False, since: tuple[int, int] = (0, 0), **cases: str) -> None:
    for name, code in cases.items():
        ATTEMPTS.append(Attempt(f"{group}: {name.replace('_', ' ')}", dedent(code).strip(), needs_root, since))


# Reading a secret file, by every door that opens files.
add(
    "read",
    open="show(open(HOST['secret']).read())",
    os_open="show(os.read(os.open(HOST['secret'], os.O_RDONLY), 100))",
    pathlib="from pathlib import Path; show(Path(HOST['secret']).read_text())",
    io_fileio="import io; show(io.FileIO(HOST['secret']).read())",
    codecs="import codecs; show(codecs.open(HOST['secret']).read())",
    linecache="import linecache; show(linecache.getlines(HOST['secret']))",
    fileinput="import fileinput; show(list(fileinput.input([HOST['secret']])))",
    mmap="import mmap; f = os.open(HOST['secret'], os.O_RDONLY); show(mmap.mmap(f, 0, prot=1).read(100))",
    pandas_read_csv="show(pd.read_csv(HOST['secret'], header=None).iloc[0, 0])",
    pandas_read_table_engine_python="show(pd.read_csv(HOST['secret'], header=None, engine='python').iloc[0, 0])",
    pandas_read_fwf="show(pd.read_fwf(HOST['secret'], header=None).iloc[0, 0])",
    pandas_url="show(pd.read_csv('file://' + HOST['secret'], header=None).iloc[0, 0])",
    numpy_loadtxt="show(np.loadtxt(HOST['secret'], dtype=str))",
    numpy_fromfile="show(np.fromfile(HOST['secret'], dtype='S1').tobytes())",
    numpy_memmap="show(bytes(np.memmap(HOST['secret'], mode='r')))",
    numpy_genfromtxt="show(np.genfromtxt(HOST['secret'], dtype=str))",
    pyarrow_file="import pyarrow as pa; show(pa.OSFile(HOST['secret']).read(100))",
    pyarrow_memory_map="import pyarrow as pa; show(pa.memory_map(HOST['secret']).read(100))",
    pyarrow_filesystem="from pyarrow import fs; show(fs.LocalFileSystem().open_input_file(HOST['secret']).read())",
    libc_fopen="f = libc.open(HOST['secret'].encode(), 0); b = ctypes.create_string_buffer(99); libc.read(f, b, 99); show(b.value)",
    raw_openat="""
        b = ctypes.create_string_buffer(99); f = call(257, -100, ctypes.c_char_p(HOST['secret'].encode()), 0, 0)
        call(0, f, b, 99); show(b.value)""",
    raw_openat2="""
        how = struct.pack('QQQ', 0, 0, 0); b = ctypes.create_string_buffer(99)
        f = call(437, -100, ctypes.c_char_p(HOST['secret'].encode()), ctypes.c_char_p(how), 24); call(0, f, b, 99); show(b.value)""",
    raw_creat_old_open="""
        b = ctypes.create_string_buffer(99); f = call(2, ctypes.c_char_p(HOST['secret'].encode()), 0, 0)
        call(0, f, b, 99); show(b.value)""",
    chdir_then_relative="os.chdir(HOST['folder']); show(open('secret.txt').read())",
    dot_dot="show(open('../' * 20 + HOST['secret'].lstrip('/')).read())",
    proc_self_root="show(open('/proc/self/root' + HOST['secret']).read())",
    proc_self_cwd="show(open('/proc/self/cwd/' + '../' * 20 + HOST['secret'].lstrip('/')).read())",
    proc_thread_root="show(open('/proc/thread-self/root' + HOST['secret']).read())",
    proc_parent_root="show(open(f\"/proc/{os.getppid()}/root{HOST['secret']}\").read())",
    o_path_reopened="f = os.open(HOST['secret'], os.O_PATH); show(open(f'/proc/self/fd/{f}').read())",
    dir_fd="d = os.open(HOST['folder'], os.O_PATH); show(os.read(os.open('secret.txt', 0, dir_fd=d), 99))",
    symlink_in_work="os.symlink(HOST['secret'], 'link'); show(open('link').read())",
    hardlink_in_work="os.link(HOST['secret'], 'link'); show(open('link').read())",
    rename_into_work="os.rename(HOST['spare'], 'stolen'); show(open('stolen').read())",
    sendfile="""
        r, w = os.pipe(); f = os.open(HOST['secret'], os.O_RDONLY); os.sendfile(w, f, 0, 99); show(os.read(r, 99))""",
    copy_file_range="""
        f = os.open(HOST['secret'], os.O_RDONLY); o = os.open('copy', os.O_RDWR | os.O_CREAT)
        os.copy_file_range(f, o, 99); show(open('copy').read())""",
    shutil_copy="import shutil; shutil.copyfile(HOST['secret'], 'copy'); show(open('copy').read())",
    sqlite_attach="import sqlite3; sqlite3.connect('file:' + HOST['database'] + '?mode=ro', uri=True).execute('select * from t').fetchall().__iter__() and show(sqlite3.connect('file:' + HOST['database'] + '?mode=ro', uri=True).execute('select * from t').fetchall())",
    zipimport="import zipfile; show(zipfile.ZipFile(HOST['archive']).read('secret.txt'))",
    import_a_file="sys.path.insert(0, HOST['folder']); import secret_module; show(secret_module.TOKEN)",
    runpy="import runpy; show(runpy.run_path(HOST['module'])['TOKEN'])",
    importlib_loader="import importlib.machinery as m; show(m.SourceFileLoader('x', HOST['module']).load_module().TOKEN)",
    ipython_load="get_ipython().run_line_magic('run', HOST['module']); show(TOKEN)",
    ipython_pfile="show(get_ipython().find_user_code(HOST['module']))",
    matplotlib_style="import matplotlib.image as i; show(open(HOST['secret']).read())",
    traceback_source="""
        import linecache, types
        code = compile('1/0', HOST['secret'], 'exec')
        try: exec(code)
        except ZeroDivisionError:
            import traceback; show(traceback.format_exc())""",
    warnings_source="import warnings, linecache; show(warnings.formatwarning('x', UserWarning, HOST['secret'], 1))",
    object_graph_file_loader="""
        loader = [k for k in object.__subclasses__() if k.__name__ == 'FileLoader']
        from importlib.machinery import SourceFileLoader
        show(SourceFileLoader('x', HOST['secret']).get_data(HOST['secret']))""",
    ctypes_python_api="""
        api = ctypes.pythonapi; api.PyFile_FromFd.restype = ctypes.py_object
        f = os.open(HOST['secret'], 0); show(api.PyFile_FromFd(f, None, b'r', -1, None, None, None, 1).read())""",
    str_format_globals="""
        class Door:
            def __init__(self): pass
        import os as module
        show(eval(\"'{0.__init__.__globals__[HOST]}'.format(Door())\") and open(HOST['secret']).read())""",
    locale_gettext="import gettext; show(open(HOST['secret'], 'rb').read())",
    from_another_thread="""
        import threading
        t = threading.Thread(target=lambda: show(open(HOST['secret']).read())); t.start(); t.join()""",
    tail_of_proc_fd="[show(open(f'/proc/{HOST[\"victim\"]}/fd/{n}').read()) for n in (HOST['victim_descriptor'],)]",
)

# The private folders of another kernel of the same user.
add(
    "neighbour",
    work_file="show(open(HOST['neighbour'] + '/work/secret.txt').read())",
    connection_file="show(open(HOST['neighbour'] + '/sockets/connection.json').read())",
    from_the_own_root="import glob; show([open(p).read() for p in glob.glob(os.path.dirname(os.path.dirname(os.environ['HOME'])) + '/*/work/secret.txt')] or open(HOST['neighbour'] + '/work/secret.txt').read())",
    write="open(HOST['neighbour'] + '/work/plan.txt', 'w').write('pwned')",
)

# Learning what is outside: listings, other processes, the environment.
add(
    "learn",
    list_home="show(os.listdir(HOST['folder']))",
    list_root="show('ROOT-LISTING' if os.listdir('/') else '')",
    scandir="show([e.name for e in os.scandir(HOST['folder'])])",
    glob="import glob; show(glob.glob(HOST['folder'] + '/*'))",
    raw_getdents="d = os.open(HOST['folder'], os.O_RDONLY); b = ctypes.create_string_buffer(4096); call(217, d, b, 4096); show(b.raw)",
    inotify="""
        f = keep(libc.inotify_init1(0)); libc.inotify_add_watch(f, HOST['folder'].encode(), 0xfff)""",
    fanotify="keep(call(300, 0x200, 0))",
    environment="show(dict(os.environ))",
    proc_self_environ="show(open('/proc/self/environ', 'rb').read())",
    parent_environ="show(open(f'/proc/{os.getppid()}/environ', 'rb').read())",
    victim_environ="show(open(f\"/proc/{HOST['victim']}/environ\", 'rb').read())",
    victim_command_line="show(open(f\"/proc/{HOST['victim']}/cmdline\", 'rb').read())",
    owner_memory_map="show('MAPS' if open(f\"/proc/{HOST['owner']}/maps\").read() else '')",
    host_sockets="show('SOCKETS' if open('/proc/self/net/unix').read() else '')",
    host_mounts="show('MOUNTS' if open('/proc/self/mountinfo').read() else '')",
    process_list="show('PROCESSES' if [n for n in os.listdir('/proc') if n.isdigit()] else '')",
    getxattr="show(os.getxattr(HOST['secret'], 'user.token'))",
    stack_of_parent_frames="""
        frame, found = sys._getframe(), []
        while frame: found += [str(frame.f_globals.get('TOKEN'))]; frame = frame.f_back
        import gc; show(os.environ.get('HOST_API_KEY'))""",
    dev_listing="show('DEVICES' if os.listdir('/dev') else '')",
    dev_shm="show([open(f'/dev/shm/{n}').read() for n in os.listdir('/dev/shm') if n == HOST['name'] + '-secret'])",
    etc_hostname="show('HOSTNAME' if open('/etc/hostname').read() else '')",
)
# As most systems are set, the kernel's own words are root's.
add(
    "learn",
    needs_root=True,
    kernel_log="b = ctypes.create_string_buffer(4096); n = call(103, 3, b, 4096); show('KERNEL-LOG' if n > 0 else '')",
    device_kmsg="show('KMSG' if os.open('/dev/kmsg', os.O_RDONLY | os.O_NONBLOCK) else '')",
)

# Changing what is outside.
add(
    "write",
    open="open(HOST['victim_file'], 'w').write('pwned')",
    append="open(HOST['victim_file'], 'a').write('pwned')",
    new_file="open(HOST['folder'] + '/new', 'w')",
    to_csv="pd.DataFrame({'a': [1]}).to_csv(HOST['folder'] + '/new')",
    to_parquet="pd.DataFrame({'a': [1]}).to_parquet(HOST['folder'] + '/new')",
    numpy_save="np.save(HOST['folder'] + '/new.npy', np.arange(3))",
    pyarrow_output="import pyarrow as pa; pa.OSFile(HOST['victim_file'], 'wb').write(b'pwned')",
    pyarrow_delete="from pyarrow import fs; fs.LocalFileSystem().delete_file(HOST['victim_file'])",
    savefig="import matplotlib.pyplot as plt; plt.savefig(HOST['folder'] + '/new.png')",
    logging_file="import logging; logging.FileHandler(HOST['folder'] + '/new')",
    sqlite="import sqlite3; sqlite3.connect(HOST['folder'] + '/new').execute('create table t(a)')",
    mkdir="os.mkdir(HOST['folder'] + '/new')",
    unlink="os.unlink(HOST['victim_file'])",
    rename="os.rename(HOST['victim_file'], HOST['folder'] + '/new')",
    rename_out_of_work="open('x', 'w').write('pwned'); os.rename('x', HOST['victim_file'])",
    link_out_of_work="open('x', 'w').write('pwned'); os.link('x', HOST['folder'] + '/new')",
    symlink_then_write="os.symlink(HOST['victim_file'], 'l'); open('l', 'w').write('pwned')",
    truncate="os.truncate(HOST['victim_file'], 0)",
    raw_truncate="call(76, ctypes.c_char_p(HOST['victim_file'].encode()), 0)",
    open_with_truncate="os.open(HOST['victim_file'], os.O_WRONLY | os.O_TRUNC)",
    chmod="os.chmod(HOST['victim_file'], 0o777)",
    raw_fchmodat2="call(452, -100, ctypes.c_char_p(HOST['victim_file'].encode()), 0o777, 0)",
    utime="os.utime(HOST['victim_file'], (1, 1))",
    setxattr="os.setxattr(HOST['victim_file'], 'user.pwned', b'1')",
    mkfifo="os.mkfifo(HOST['folder'] + '/new')",
    unix_socket_file="import socket; s = socket.socket(socket.AF_UNIX); s.bind(HOST['folder'] + '/new')",
    own_installation="open(HOST['writable_package'], 'a').write('#')",
    dev_shm="open(f\"/dev/shm/{HOST['name']}-new\", 'w').write('x')",
    tmp="import tempfile; open(f\"/tmp/{HOST['name']}-new\", 'w').write('x')",
    staged_by_thread="import threading; t = threading.Thread(target=lambda: open(HOST['folder'] + '/new', 'w')); t.start(); t.join()",
    open_for_writing_through_proc="f = os.open(HOST['victim_file'], os.O_PATH); os.open(f'/proc/self/fd/{f}', os.O_WRONLY | os.O_TRUNC)",
    query_string="pd.DataFrame({'a': [1]}).query(\"@open(@HOST['folder'] + '/new', 'w') is not None\", engine='python')",
    atexit_after_the_cell="import atexit; atexit.register(lambda: open(HOST['folder'] + '/new', 'w')); atexit._run_exitfuncs()",
)
add(
    "write",
    needs_root=True,
    chown="os.chown(HOST['victim_file'], 65534, 65534)",
    mknod="os.mknod(HOST['folder'] + '/new', 0o20666, os.makedev(1, 3))",
)

# Other programs and processes.
add(
    "process",
    system="os.system(f\"touch {HOST['folder']}/new\")",
    popen="os.popen(f\"touch {HOST['folder']}/new\").read()",
    subprocess="import subprocess; subprocess.run(['touch', HOST['folder'] + '/new'])",
    subprocess_shell="import subprocess; subprocess.run(f\"touch {HOST['folder']}/new\", shell=True)",
    posix_spawn="os.waitpid(os.posix_spawn('/usr/bin/touch', ['touch', HOST['folder'] + '/new'], {}), 0)",
    execve_in_place="stay_connected(); os.execv('/usr/bin/touch', ['touch', HOST['folder'] + '/new'])",
    raw_execveat="""
        argv = (ctypes.c_char_p * 3)(b'touch', (HOST['folder'] + '/new').encode(), None)
        stay_connected(); call(322, -100, ctypes.c_char_p(b'/usr/bin/touch'), argv, None, 0)""",
    fork="pid = os.fork(); pid or (open(HOST['folder'] + '/new', 'w'), os._exit(0)); os.waitpid(pid, 0)",
    fork_and_stay="pid = os.fork(); pid or __import__('time').sleep(5); kept.append(pid)",
    forkpty="import pty; pid, f = pty.fork(); pid or os._exit(0); os.waitpid(pid, 0); open(HOST['folder'] + '/new', 'w')",
    raw_clone="pid = call(56, 17, 0, 0, 0, 0); pid == 0 and __import__('time').sleep(5)",
    raw_clone3="""
        a = struct.pack('11Q', 0, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0); r = call(435, ctypes.c_char_p(a), 88)
        r == 0 and __import__('time').sleep(5)""",
    multiprocessing="import multiprocessing as m; p = m.get_context('fork').Process(target=open, args=(HOST['folder'] + '/new', 'w')); p.start(); p.join()",
    concurrent_futures="from concurrent.futures import ProcessPoolExecutor as P; import multiprocessing as m; e = P(1, mp_context=m.get_context('fork')); e.submit(os.mkdir, HOST['folder'] + '/new').result(3)",
    asyncio_subprocess="import asyncio, threading; t = threading.Thread(target=lambda: asyncio.run(asyncio.create_subprocess_exec('touch', HOST['folder'] + '/new'))); t.start(); t.join(); __import__('time').sleep(.2)",
    object_graph_popen="""
        import subprocess
        P = [k for k in ().__class__.__bases__[0].__subclasses__() if k.__name__ == 'Popen'][0]; P(['touch', HOST['folder'] + '/new']).wait()""",
    generator_frame="""
        g = (x for x in ()); b = g.gi_frame.f_builtins
        b['__import__']('os').system(f\"touch {HOST['folder']}/new\")""",
    exception_frame="""
        try: 1/0
        except Exception as e: e.__traceback__.tb_frame.f_builtins['__import__']('os').system(f\"touch {HOST['folder']}/new\")""",
    numpy_ctypeslib="np.ctypeslib.ctypes.CDLL(None).system(f\"touch {HOST['folder']}/new\".encode())",
    pandas_module_graph="pd.io.common.os.system(f\"touch {HOST['folder']}/new\")",
    ipython_shell_escape="get_ipython().run_cell(f\"!touch {HOST['folder']}/new\"); import IPython.utils.process as p; p.system(f\"touch {HOST['folder']}/new\")",
    library_from_work="""
        import shutil; shutil.copy('/bin/true', 'prog'); os.chmod('prog', 0o700); os.spawnv(os.P_WAIT, './prog', ['prog'])
        os.system(f\"touch {HOST['folder']}/new\")""",
    memory_file_executed="""
        stay_connected(); f = os.memfd_create('x'); os.write(f, open('/usr/bin/touch', 'rb').read())
        os.execve(f, ['touch', HOST['folder'] + '/new'], {})""",
    dynamic_loader="stay_connected(); os.execv('/lib64/ld-linux-x86-64.so.2', ['ld', '/usr/bin/touch', HOST['folder'] + '/new'])",
    kill_victim="os.kill(HOST['victim'], 9)",
    kill_group_zero="import signal; signal.signal(15, signal.SIG_IGN); os.kill(HOST['victim'], 15)",
    raw_tkill="call(200, HOST['victim'], 9)",
    raw_tgkill="call(234, HOST['victim'], HOST['victim'], 9)",
    raw_sigqueue="b = struct.pack('iii', 9, 0, -1) + bytes(116); call(129, HOST['victim'], 9, ctypes.c_char_p(b))",
    pidfd_signal="f = call(434, HOST['victim'], 0); call(424, f, 9, None, 0)",
    owner_signal_by_fcntl="""
        import fcntl; r, w = os.pipe(); fcntl.fcntl(r, 10, 9); fcntl.fcntl(r, 8, HOST['victim'])
        fcntl.fcntl(r, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK); os.write(w, b'x')""",
    owner_signal_by_ioctl="""
        import fcntl, socket; a, b = socket.socketpair(); fcntl.fcntl(a, 10, 9); fcntl.ioctl(a, 0x8901, struct.pack('i', HOST['victim']))
        fcntl.fcntl(a, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK); b.send(b'x')""",
    posix_timer_signal="show('')\nos.kill(HOST['victim'], 10)",
    ptrace_attach="libc.ptrace(0x4206, HOST['victim'], 0, 0)",
    ptrace_seize_owner="libc.ptrace(16, HOST['victim'], 0, 0)",
    read_memory="""
        b = ctypes.create_string_buffer(99); l = struct.pack('QQ', ctypes.addressof(b), 64); r = struct.pack('QQ', HOST['victim_address'], 64)
        call(310, HOST['victim'], ctypes.c_char_p(l), 1, ctypes.c_char_p(r), 1, 0); show(b.raw)""",
    read_memory_by_proc="f = open(f\"/proc/{HOST['victim']}/mem\", 'rb', 0); f.seek(HOST['victim_address']); show(f.read(64))",
    stolen_descriptor="f = call(434, HOST['victim'], 0); g = call(438, f, HOST['victim_descriptor'], 0); show(os.pread(g, 99, 0))",
    own_memory_by_proc="f = open('/proc/self/mem', 'r+b', 0); show('SELF-MEM')",
    prlimit="import resource; resource.prlimit(HOST['victim'], resource.RLIMIT_NOFILE, (77, 77))",
    own_limits="import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (99, 99))",
    raise_own_memory_limit="import resource; s, h = resource.getrlimit(resource.RLIMIT_AS); resource.setrlimit(resource.RLIMIT_AS, (1 << 45, h))",
    renice="os.setpriority(os.PRIO_PROCESS, HOST['victim'], 15)",
    affinity="os.sched_setaffinity(HOST['victim'], {0})",
    scheduler="os.sched_setscheduler(HOST['victim'], os.SCHED_IDLE, os.sched_param(0))",
    oom_score="open(f\"/proc/{HOST['victim']}/oom_score_adj\", 'w').write('1000')",
    freeze_victim="os.kill(HOST['victim'], 19)",
)

# Sockets of every family, and what can be reached through those that exist.
add(
    "network",
    tcp="import socket; socket.create_connection(('127.0.0.1', HOST['tcp']), 2).send(b'x')",
    tcp6="import socket; socket.socket(socket.AF_INET6); show('INET6')",
    udp="import socket; socket.socket(2, 2).sendto(b'x', ('127.0.0.1', HOST['udp']))",
    udp_connected="import socket; s = socket.socket(2, 2); s.connect(('127.0.0.1', HOST['udp'])); s.send(b'x')",
    udp_sendmsg="import socket; socket.socket(2, 2).sendmsg([b'x'], [], 0, ('127.0.0.1', HOST['udp']))",
    tcp_fast_open="import socket; s = socket.socket(); s.sendto(b'x', 0x20000000, ('127.0.0.1', HOST['tcp'])); show('FASTOPEN')",
    urllib="import urllib.request; urllib.request.urlopen(f\"http://127.0.0.1:{HOST['tcp']}/\", timeout=1)",
    pandas_http="pd.read_csv(f\"http://127.0.0.1:{HOST['tcp']}/x.csv\", storage_options={})",
    raw_socket_call="s = call(41, 2, 1, 0); a = struct.pack('!HH4s8x', 0x0200, HOST['tcp'], bytes([127, 0, 0, 1])); call(42, s, ctypes.c_char_p(a), 16)",
    listen="import socket; s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen(); kept.append(s); show('LISTENING')",
    unix_stream="import socket; socket.socket(socket.AF_UNIX).connect(HOST['unix'])",
    unix_abstract="import socket; socket.socket(socket.AF_UNIX).connect(HOST['abstract'])",
    unix_seqpacket="import socket; kept.append(socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)); show('SEQPACKET')",
    unix_datagram="import socket; socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b'x', HOST['datagram'])",
    datagram_pair_sendto="import socket; a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM); a.sendto(b'x', HOST['datagram'])",
    datagram_pair_sendmsg="import socket; a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM); a.sendmsg([b'x'], [], 0, HOST['datagram'])",
    datagram_pair_sendmmsg="""
        import socket; a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        n = struct.pack('H', 1) + HOST['datagram'].encode() + b'\\0'; name = ctypes.create_string_buffer(n); data = ctypes.create_string_buffer(b'x')
        iov = ctypes.create_string_buffer(struct.pack('QQ', ctypes.addressof(data), 1))
        m = struct.pack('QIxxxxQQQQixxxx', ctypes.addressof(name), len(n), ctypes.addressof(iov), 1, 0, 0, 0) + bytes(8)
        call(307, a.fileno(), ctypes.c_char_p(m), 1, 0)""",
    datagram_pair_reconnected="import socket; a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM); a.connect(HOST['datagram']); a.send(b'x')",
    netlink="import socket; kept.append(socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)); show('NETLINK')",
    vsock="import socket; kept.append(socket.socket(40, 1)); show('VSOCK')",
    zmq="import zmq; c = zmq.Context(); s = c.socket(zmq.REQ); s.linger = 0; s.connect(f\"ipc://{HOST['unix']}\"); s.send(b'x', zmq.NOBLOCK); __import__('time').sleep(.3)",
    asyncio_connection="import asyncio, threading; t = threading.Thread(target=lambda: asyncio.run(asyncio.open_connection('127.0.0.1', HOST['tcp']))); t.start(); t.join()",
    io_uring="b = ctypes.create_string_buffer(120); keep(call(425, 8, b))",
    pyarrow_flight="import pyarrow.flight as f; f.connect(f\"grpc://127.0.0.1:{HOST['tcp']}\").wait_for_available(1)",
)
add(
    "network",
    needs_root=True,
    raw_inet="import socket; kept.append(socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)); show('RAW-SOCKET')",
    packet="import socket; kept.append(socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 3)); show('PACKET-SOCKET')",
)

# The kernel's rarer doors.
add(
    "kernel",
    memfd="keep(os.memfd_create('x'))",
    memfd_secret="keep(call(447, 0))",
    pidfd="keep(os.pidfd_open(HOST['victim']))",
    userfaultfd="keep(call(323, 1))",
    epoll_of_inotify="f = keep(call(253 if False else 294, 0))",
    shared_anonymous_memory="import mmap; m = mmap.mmap(-1, 1 << 20); m[0] = 1; kept.append(m); show('SHARED-ANONYMOUS')",
    system_v_memory="call(29, HOST['key'], 4096, 0o1666)",
    system_v_queue="call(68, HOST['key'], 0o1666)",
    system_v_semaphore="call(64, HOST['key'], 1, 0o1666)",
    posix_queue="call(240, ctypes.c_char_p(b'escape'), 0o102, 0o600, None) >= 0 and (show('POSIX-QUEUE'), call(241, ctypes.c_char_p(b'escape')))",
    keyring="b = b'escape-key'; call(248, ctypes.c_char_p(b'user'), ctypes.c_char_p(b), ctypes.c_char_p(b'x'), 1, -4) > 0 and show('KEY-ADDED')",
    personality="call(135, 0x0040000); r = call(135, 0xffffffff); r > 0 and r & 0x40000 and show('PERSONALITY')",
    x32="show('X32-ANSWERED') if call(0x40000000 | 39) > 0 else call(39) and keep(os.memfd_create('x'))",
    death_signal_off="libc.prctl(1, 0, 0, 0, 0) == 0 and show('PDEATHSIG-CLEARED')",
    dumpable_off="libc.prctl(4, 0, 0, 0, 0) == 0 and show('DUMPABLE-CHANGED')",
    subreaper="libc.prctl(36, 1, 0, 0, 0) == 0 and show('SUBREAPER')",
    new_session="os.setsid(); show('SESSION') if os.getsid(0) == os.getpid() else None",
    user_namespace="libc.unshare(0x10000000)",
    process_madvise="f = call(434, HOST['victim'], 0); v = struct.pack('QQ', HOST['victim_address'], 4096); call(440, f, ctypes.c_char_p(v), 1, 20, 0) > 0 and show('MADVISED')",
    kcmp="call(312, os.getpid(), HOST['victim'], 0, 0, 0) >= 0 and show('KCMP')",
    robust_list_of_another="a, b = ctypes.c_void_p(), ctypes.c_size_t(); call(274, HOST['victim'], ctypes.byref(a), ctypes.byref(b)) == 0 and show('ROBUST-LIST')",
    landlock_ruleset="a = struct.pack('Q', 1); keep(call(444, ctypes.c_char_p(a), 8, 0))",
    seccomp_listener="""
        p = struct.pack('HBBI', 6, 0, 0, 0x7fff0000); b = ctypes.create_string_buffer(p); f = struct.pack('HxxxxxxQ', 1, ctypes.addressof(b))
        libc.prctl(38, 1, 0, 0, 0); keep(call(317, 1, 8, ctypes.c_char_p(f)))""",
    io_setup="c = ctypes.c_ulong(); call(206, 8, ctypes.byref(c)) == 0 and show('AIO-CONTEXT')",
    vmsplice="r, w = os.pipe(); b = ctypes.create_string_buffer(b'x'); v = struct.pack('QQ', ctypes.addressof(b), 1); call(278, w, ctypes.c_char_p(v), 1, 0) == 1 and show('VMSPLICED')",
    file_lease="import fcntl; f = os.open('lease', os.O_RDWR | os.O_CREAT); fcntl.fcntl(f, 1024, 1); show('LEASE')",
    directory_notification="import fcntl, signal; signal.signal(29, signal.SIG_IGN); fcntl.fcntl(os.open('.', os.O_RDONLY), 1026, 0x80000004); show('DNOTIFY')",
    large_pipe="import fcntl; r, w = os.pipe(); fcntl.fcntl(w, 1031, 1 << 20); show('LARGE-PIPE')",
    socket_filter="""
        import socket; a, b = socket.socketpair(); p = struct.pack('HBBI', 6, 0, 0, 0xffff); c = ctypes.create_string_buffer(p)
        a.setsockopt(1, 26, struct.pack('HxxxxxxQ', 1, ctypes.addressof(c))); show('SOCKET-FILTER')""",
    file_name_handle="b = ctypes.create_string_buffer(struct.pack('Ii', 128, 0) + bytes(128)); m = ctypes.c_int(); call(303, -100, ctypes.c_char_p(HOST['secret'].encode()), b, ctypes.byref(m), 0) == 0 and show('HANDLE')",
    huge_sparse_file="f = open('big', 'wb'); f.truncate(1 << 36)",
    many_open_files="kept.extend(os.open('/dev/null', 0) for _ in range(900))",
    core_dump_limit="import resource; resource.setrlimit(resource.RLIMIT_CORE, (0, 0)); show('LIMIT-SET')",
    tiocsti="import fcntl, pty; a, b = os.openpty(); show('PTY-OPENED')",
)
add(
    "kernel",
    needs_root=True,
    perf_event="""
        a = struct.pack('IIQQQQ', 1, 112, 0, 0, 0, 0) + bytes(72); keep(call(298, ctypes.c_char_p(a), 0, -1, -1, 8))""",
    mount="os.mkdir('m'); r = libc.mount(b'none', b'm', b'tmpfs', 0, None); r == 0 and (show('MOUNTED'), libc.umount(b'm'))",
    network_namespace="libc.unshare(0x40000000)",
    mount_namespace="libc.unshare(0x20000)",
    host_name_namespace="libc.unshare(0x4000000)",
    chroot="os.mkdir('c'); os.chroot('c'); show('CHROOTED')",
    become_another="os.setuid(65534); show('SETUID')",
    open_by_handle="""
        b = ctypes.create_string_buffer(struct.pack('Ii', 128, 0) + bytes(128)); m = ctypes.c_int()
        call(303, -100, ctypes.c_char_p(HOST['secret'].encode()), b, ctypes.byref(m), 0)
        d = os.open('.', os.O_RDONLY); f = call(304, d, b, 0); show(os.read(f, 99))""",
    capabilities_used="b = ctypes.create_string_buffer(4096); call(103, 3, b, 4096) > 0 and show('KERNEL-LOG')",
    accounting="call(163, None) == 0 and show('ACCT')",
)

# A second round: what a look at each allowed call, each granted file and the own line suggested.
add(
    "own line",
    environment_beside_descriptors="show(open('/proc/self/fd/../environ', 'rb').read())",
    environment_of_a_thread="show(open(f'/proc/self/task/{os.getpid()}/environ', 'rb').read())",
    memory_of_a_thread="open(f'/proc/self/task/{os.getpid()}/mem', 'r+b', 0); show('TASK-MEM')",
    page_map="open('/proc/self/pagemap', 'rb').read(8); show('PAGE-MAP')",
    referenced_pages_cleared="open('/proc/self/clear_refs', 'w').write('1'); show('CLEAR-REFS')",
    own_name="open('/proc/self/comm', 'w').write('sshd'); show('RENAMED')",
    dump_filter="open('/proc/self/coredump_filter', 'w').write('0x7f'); show('DUMP-FILTER')",
    spared_by_the_oom_killer="open('/proc/self/oom_score_adj', 'w').write('0'); show('OOM-SELF')",
    mounts="open('/proc/self/mounts').read(); show('MOUNT-TABLE')",
    control_group="open('/proc/self/cgroup').read(); show('CGROUP')",
    time_slack="open('/proc/self/timerslack_ns').read(); show('TIMERSLACK')",
    system_calls_dispatched="libc.prctl(59, 0, 0, 0, 0) == 0 and show('DISPATCH')",
    memory_merged_by_advice="import mmap; mmap.mmap(-1, 1 << 20, flags=0x22).madvise(12); show('MERGEABLE')",
    pages_of_a_library_pushed_out="import mmap; f = open(np.__file__, 'rb'); mmap.mmap(f.fileno(), 0, prot=1, flags=2).madvise(21); show('PAGEOUT')",
    huge_pages_off="libc.prctl(41, 0, 0, 0, 0) == 0 and show('THP-DISABLED')",
    memory_locked="b = ctypes.create_string_buffer(1 << 16); libc.mlock(b, 1 << 16) == 0 and (show('MLOCKED'), libc.munlock(b, 1 << 16))",
    local_descriptor_table="b = ctypes.create_string_buffer(64); call(154, 0, b, 64) >= 0 and show('LDT-READ')",
    remapped_pages="""
        import mmap; f = open('x', 'w+b'); f.truncate(8192); m = mmap.mmap(f.fileno(), 8192)
        call(216, ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(m))), 4096, 0, 1, 0) == 0 and show('REMAPPED')""",
    file_flags="import fcntl; f = open('x', 'w'); fcntl.ioctl(f, 0x40086602, struct.pack('l', 0x40)); show('FLAGS-SET')",
    strict_seccomp_of_an_idle_thread="libc.prctl(21, 0, 0, 0, 0) >= 0 and keep(call(317, 2, 0, ctypes.byref(ctypes.c_uint32(0x7fc00000)))) == 0 and show('ACTION-KNOWN')",
)
add(
    "others",
    write_memory="""
        b = ctypes.create_string_buffer(b'pwned'); l = struct.pack('QQ', ctypes.addressof(b), 5); r = struct.pack('QQ', HOST['victim_address'], 5)
        call(311, HOST['victim'], ctypes.c_char_p(l), 1, ctypes.c_char_p(r), 1, 0) == 5 and show('VM-WRITTEN')""",
    thread_group_signal="b = struct.pack('iii', 9, 0, -1) + bytes(116); call(297, HOST['victim'], HOST['victim'], 9, ctypes.c_char_p(b))",
    owner_signal_by_extended_fcntl="""
        import fcntl; r, w = os.pipe(); fcntl.fcntl(r, 10, 9); fcntl.fcntl(r, 15, struct.pack('ii', 1, HOST['victim']))
        fcntl.fcntl(r, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK); os.write(w, b'x')""",
    processor_time="b = ctypes.create_string_buffer(16); libc.clock_gettime((~HOST['victim'] << 3) | 2, b) == 0 and show('CPU-CLOCK')",
    disk_priority="call(251, 1, HOST['victim'], 3 << 13) == 0 and show('IOPRIO')",
    pages_moved="a = (ctypes.c_ulong * 1)(1); call(256, HOST['victim'], 64, a, a) >= 0 and show('MIGRATED')",
    memory_nodes_of_pages="p = (ctypes.c_void_p * 1)(HOST['victim_address'] & ~4095); s = (ctypes.c_int * 1)(); call(279, HOST['victim'], 1, p, None, s, 0) == 0 and show('PAGES-FOUND')",
    working_folder="show('CWD-KNOWN' if os.readlink(f\"/proc/{HOST['victim']}/cwd\") else '')",
    program="show('EXE-KNOWN' if os.readlink(f\"/proc/{HOST['victim']}/exe\") else '')",
    system_call_of_another="show('SYSCALL-KNOWN' if open(f\"/proc/{HOST['victim']}/syscall\").read() else '')",
    stack_of_another="show('WCHAN-KNOWN' if open(f\"/proc/{HOST['victim']}/wchan\") else '')",
    files_of_another="show('FDS-KNOWN' if os.listdir(f\"/proc/{HOST['victim']}/fd\") else '')",
    lock_on_a_granted_file="import fcntl; f = open(np.__file__); fcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB); kept.append(f); show('FLOCKED')",
    lease_on_a_granted_file="import fcntl; f = open('x', 'w'); fcntl.fcntl(f, 1024, 1); show('LEASED')",
    watch_on_a_granted_file="f = keep(libc.inotify_init()); libc.inotify_add_watch(f, np.__file__.encode(), 0xfff)",
)
add(
    "machine",
    interrupts="show('INTERRUPTS' if open('/proc/interrupts').read() else '')",
    boot_line="show('BOOT-LINE' if open('/proc/cmdline').read() else '')",
    symbols="show('KALLSYMS' if open('/proc/kallsyms').readline() else '')",
    host_name_by_proc="show('HOST-NAME' if open('/proc/sys/kernel/hostname').read() else '')",
    keys="show('KEY-USERS' if open('/proc/key-users').read() else '')",
    connections="show('TCP-TABLE' if open('/proc/self/net/tcp').read() else '')",
    network_cards="show('NETWORK-CARDS' if os.listdir('/sys/class/net') else '')",
    block_devices="show('PARTITIONS' if open('/proc/partitions').read() else '')",
    disk_statistics="show('DISKSTATS' if open('/proc/diskstats').read() else '')",
    open_tree="f = call(428, -100, ctypes.c_char_p(HOST['folder'].encode()), 0x80000); kept.append(f); f >= 0 and show('TREE-HANDLE')",
    clock_of_the_machine="b = ctypes.create_string_buffer(208); call(159, b) >= 0 and show('ADJTIMEX')",
    file_systems="call(139, 3) > 0 and show('SYSFS')",
    all_written_to_disk="call(306, os.open('.', os.O_RDONLY)) == 0 and show('SYNCFS')",
    new_keyring="call(250, 1, None) > 0 and show('SESSION-KEYRING')",
)
add(
    "machine",
    needs_root=True,
    bpf_map="a = struct.pack('IIII', 2, 4, 4, 1) + bytes(112); keep(call(321, 0, ctypes.c_char_p(a), 128))",
    file_system_context="keep(call(430, ctypes.c_char_p(b'tmpfs'), 0)) >= 0 and show('FSOPEN')",
    cloned_tree="keep(call(428, -100, ctypes.c_char_p(b'/proc'), 1)) >= 0 and show('TREE-CLONED')",
    same_host_name_set="n = os.uname().nodename.encode(); libc.sethostname(n, len(n)) == 0 and show('HOSTNAME-SET')",
)
add(
    "own line",
    since=(6, 5),
    handle_on_the_owner="""
        import gc, socket
        lines = [o for o in gc.get_objects() if isinstance(o, socket.socket) and o.fileno() >= 0 and o.family == socket.AF_UNIX]
        kept.append(struct.unpack('i', lines[0].getsockopt(1, 77, 4))[0])""",
    handles_on_senders="import socket; a, b = socket.socketpair(); a.setsockopt(1, 76, 1); show('PIDFDS-PASSED')",
    memory_merged_by_prctl="libc.prctl(67, 1, 0, 0, 0) == 0 and (show('MEMORY-MERGE'), libc.prctl(67, 0, 0, 0, 0))",
)
add(
    "machine",
    since=(6, 8),
    list_of_mounts="r = struct.pack('IIQQ', 24, 0, 0xffffffffffffffff, 0); b = (ctypes.c_uint64 * 64)(); call(458, ctypes.c_char_p(r), b, 64, 0) > 0 and show('LISTMOUNT')",
)
# Of a file that belongs to root.
add(
    "machine",
    needs_root=True,
    since=(6, 8),
    page_cache="f = os.open(np.__file__, 0); r = struct.pack('QQ', 0, 0); b = ctypes.create_string_buffer(40); call(451, f, ctypes.c_char_p(r), b, 0) == 0 and show('CACHESTAT')",
)
ATTEMPTS.append(Attempt("link target by readlink", "show(os.readlink(HOST['pointer']))"))

ATTEMPTS.append(Attempt("file metadata by stat", "show(f\"SIZE {os.stat(HOST['secret']).st_size}\")"))
