#!/usr/bin/env python3
"""Builds a static FFmpeg that contains only the containers and decoders of the allow-list.

    ffmpeg.py FOLDER

The sources are Debian's source packages of ffmpeg and dav1d. A private configuration of apt in FOLDER, which uses the
mirror of this machine, downloads them; apt checks the signature of the archive, and this program the digests. The result
is in FOLDER/lib and FOLDER/include, with all other archives that the programs are linked with, and with the files of
pkg-config. FOLDER/sources.json lists every source. If nothing has changed, nothing is built.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

sys.dont_write_bytecode = True

import allowed

RELEASE = "trixie"  # also when building on Debian 12, whose FFmpeg 5.1 is older
KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
PROJECT = Path(__file__).resolve().parents[2]
TOOLS = {
    "apt-get": "apt", "dpkg-source": "dpkg-dev", "cc": "gcc", "make": "make", "nasm": "nasm", "meson": "meson",
    "ninja": "ninja-build", "pkg-config": "pkg-config",
}
# The archives of Debian's packages that the programs are linked with, and the packages.
ARCHIVES = {
    "vpx": "libvpx-dev", "x264": "libx264-dev", "webp": "libwebp-dev", "webpmux": "libwebp-dev", "png": "libpng-dev",
    "z": "zlib1g-dev", "seccomp": "libseccomp-dev", "md": "libmd-dev", "deflate": "libdeflate-dev",
    "crypto": "libssl-dev",
    "stdc++": "g++", "gcc_eh": "gcc",
}
# Archives that newer versions of others need, as in Debian 13: the packages, and the modules of pkg-config that list them.
NEWER_ARCHIVES = {"sharpyuv": ("libwebp-dev", "libwebp"), "zstd": ("libzstd-dev", "libcrypto")}
# FFmpeg's libraries, those each needs, and the other archives it needs, newer ones if they are there.
PARTS = {
    "libavutil": ("", "-lm"),
    "libswresample": ("libavutil", "-lm"),
    "libswscale": ("libavutil", "-lm"),
    "libavcodec": ("libswresample libavutil", "-ldav1d -lvpx -lx264 -lwebpmux -lwebp -lsharpyuv -lz -lm"),
    "libavformat": ("libavcodec libswresample libavutil", "-lz -lm"),
}


class Problem(Exception):
    """Why FFmpeg cannot be built, and what to do."""


class Source(NamedTuple):
    """A source package of Debian."""

    package: str
    version: str
    files: dict[str, str]  # SHA-256 digests by name

    @property
    def description(self) -> str:
        return next(name for name in self.files if name.endswith(".dsc"))


def report(text: str) -> None:
    print(f"portable: {text}", flush=True)


def last_lines(path: Path, count: int = 15) -> str:
    lines = path.read_text(errors="replace").splitlines() if path.exists() else []
    return "\n".join(f"  {line}" for line in lines[-count:])


def run(words: list[str], log: Path, folder: Path, environment: dict[str, str] | None = None) -> None:
    """Runs a command, whose output is only shown if it fails."""
    with log.open("ab") as output:
        result = subprocess.run(words, cwd=folder, stdout=output, stderr=output, env={**os.environ, **(environment or {})})
    if result.returncode != 0:
        raise Problem(f"{words[0]} failed in {folder}; the end of {log}:\n{last_lines(log)}")


# MARK: Sources


def mirrors() -> tuple[str, str]:
    """Returns the addresses of Debian's archive and its security archive that apt uses on this machine."""
    answer = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(ORIGIN) $(CODENAME) $(REPO_URI)", "Created-By: Packages"],
        check=True, capture_output=True, text=True)
    found: dict[bool, str] = {}
    for line in answer.stdout.splitlines():
        origin, codename, address = line.split(" ", 2)
        if origin == "Debian":
            found.setdefault(codename.endswith("-security"), address)
    if len(found) < 2:
        kind = "security archive" if False in found else "archive"
        raise Problem(f"apt has no source for Debian's {kind} on this machine; add one to /etc/apt/sources.list.d "
                      "and run 'apt-get update'")
    return found[False], found[True]


class Apt:
    """A configuration of apt that is independent of that of the machine, except for mirrors and proxies."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "log"
        for part in ("lists/partial", "cache/archives/partial"):
            (folder / part).mkdir(parents=True, exist_ok=True)
        sources = folder / "sources.list"
        self.options = [
            word for option in (
                f"Dir::Etc::sourcelist={sources}", "Dir::Etc::sourceparts=/dev/null", f"Dir::State::lists={folder}/lists",
                f"Dir::Cache={folder}/cache", "Dir::State::status=/dev/null", "APT::Update::Error-Mode=any",
                "APT::Sandbox::User=", "APT::Get::AllowUnauthenticated=false",
            ) for word in ("-o", option)
        ]
        if not KEYRING.exists():
            raise Problem(f"{KEYRING} is missing; install debian-archive-keyring")
        archive, security = mirrors()
        sources.write_text("".join(
            f"deb-src [signed-by={KEYRING}] {address} {suite} main\n"
            for address, suite in ((archive, RELEASE), (security, f"{RELEASE}-security"))))

    def update(self) -> None:
        """Downloads the list of sources; without a network, an earlier one will do."""
        self.log.unlink(missing_ok=True)
        try:
            run(["apt-get", *self.options, "update"], self.log, self.folder)
        except Problem:
            if not any((self.folder / "lists").glob("*_Sources*")):
                raise Problem("cannot download the list of Debian's sources; check the network:\n"
                              + last_lines(self.log)) from None
            report("cannot look for newer sources (no network?); using those downloaded before")

    def source(self, package: str) -> Source:
        """Returns the newest version of a source package."""
        answer = subprocess.run(["apt-cache", *self.options, "showsrc", "--only-source", package], check=True,
                                capture_output=True, text=True)
        newest: Source | None = None
        for paragraph in answer.stdout.strip().split("\n\n"):
            version = re.search(r"^Version: (.*)$", paragraph, re.MULTILINE)
            digests = re.search(r"^Checksums-Sha256:\s*\n((?: .*\n?)+)", paragraph, re.MULTILINE)
            if not version or not digests:
                continue
            files = {line.split()[2]: line.split()[0] for line in digests[1].splitlines()}
            if newest is None or subprocess.run(["dpkg", "--compare-versions", version[1], "gt", newest.version]).returncode == 0:
                newest = Source(package, version[1], files)
        if newest is None:
            raise Problem(f"Debian {RELEASE} has no source package {package}")
        return newest

    def download(self, source: Source, folder: Path) -> None:
        """Downloads the files of a source package, and checks their digests, also of those downloaded before."""
        folder.mkdir(exist_ok=True)
        for name, digest in source.files.items():
            path = folder / name
            if path.exists() and hashlib.sha256(path.read_bytes()).hexdigest() != digest:
                path.unlink()
        if any(not (folder / name).exists() for name in source.files):
            report(f"downloading {source.package} {source.version}")
            run(["apt-get", *self.options, "source", "--download-only", "--only-source",
                 f"{source.package}={source.version}"], self.log, folder)
        for name, digest in source.files.items():
            if hashlib.sha256((folder / name).read_bytes()).hexdigest() != digest:
                raise Problem(f"{folder / name} does not have the digest in Debian's list of sources")


# MARK: Building


def archive_paths() -> dict[str, Path]:
    """Returns the archives of Debian's packages by name."""
    paths: dict[str, Path] = {}
    newer = {name: package for name, (package, module) in NEWER_ARCHIVES.items() if needs(module, name)}
    for name, package in {**ARCHIVES, **newer}.items():
        answer = subprocess.run(["cc", f"-print-file-name=lib{name}.a"], check=True, capture_output=True, text=True)
        path = Path(answer.stdout.strip())
        if not path.is_absolute():
            raise Problem(f"lib{name}.a is missing on this machine; install {package}")
        paths[name] = path
    return paths


def needs(module: str, archive: str) -> bool:
    """Whether static linking with a module of pkg-config needs an archive."""
    answer = subprocess.run(["pkg-config", "--static", "--libs", module], check=True, capture_output=True, text=True)
    return f"-l{archive}" in answer.stdout.split()


def archive_package(path: Path) -> dict[str, str]:
    """Returns the name and version of the package that contains an archive, and those of its source."""
    owner = subprocess.run(["dpkg-query", "-S", str(path.resolve())], capture_output=True, text=True)
    package = owner.stdout.split(": ")[0] if owner.returncode == 0 else ""
    if not package:
        raise Problem(f"{path} is not from a package of Debian, so its version and licence are unknown")
    form = "${binary:Package} ${source:Package} ${source:Version}"
    answer = subprocess.run(["dpkg-query", "-W", "-f", form, package], check=True, capture_output=True, text=True)
    name, source, version = answer.stdout.split()
    return {"package": name.split(":")[0], "source": source, "version": version}


def unpack(source: Source, downloads: Path, target: Path, log: Path) -> None:
    # apt and the digests have checked the sources already.
    run(["dpkg-source", "--no-check", "-x", str(downloads / source.description), str(target)], log, target.parent)


def released(folder: Path) -> str:
    """Returns the date of a source package."""
    answer = subprocess.run(["dpkg-parsechangelog", "-l", str(folder / "debian/changelog"), "-S", "Timestamp"], check=True,
                            capture_output=True, text=True)
    answer = subprocess.run(["date", "-u", "-d", f"@{answer.stdout.strip()}", "+%F"], check=True, capture_output=True, text=True)
    return answer.stdout.strip()


def build_dav1d(work: Path, log: Path) -> None:
    run(["meson", "setup", "build", "--prefix=/", "--libdir=lib", "--default-library=static", "--buildtype=release",
         "-Db_pie=true", "-Db_staticpic=true", "-Denable_tools=false", "-Denable_tests=false"], log, work / "dav1d",
        {"CFLAGS": "-D_FORTIFY_SOURCE=2 -fstack-protector-strong"})
    run(["ninja", "-C", "build", "-j", jobs()], log, work / "dav1d")
    run(["ninja", "-C", "build", "install"], log, work / "dav1d", {"DESTDIR": str(work / "made")})


def build_ffmpeg(work: Path, options: list[str], log: Path) -> None:
    folder = work / "ffmpeg"
    environment = {"PKG_CONFIG_PATH": str(work / "pkgconfig")}
    # FFmpeg's configure asks pkg-config for dav1d, whose files are not in their final place yet.
    (work / "pkgconfig").mkdir()
    described = (work / "made/lib/pkgconfig/dav1d.pc").read_text()
    (work / "pkgconfig/dav1d.pc").write_text(re.sub(r"^prefix=.*", f"prefix={work}/made", described, flags=re.MULTILINE))
    run(["./configure", *options], log, folder, environment)
    run(["make", "-j", jobs()], log, folder)
    run(["make", "install", f"DESTDIR={work}/made"], log, folder)


def jobs() -> str:
    return os.environ.get("JOBS") or str(os.cpu_count() or 1)


def describe_for_pkg_config(made: Path) -> None:
    """Writes the files of pkg-config. SwiftPM reads them, but not what static linking needs (Libs.private)."""
    shutil.rmtree(made / "lib/pkgconfig")
    (made / "lib/pkgconfig").mkdir()
    missing = {f"-l{archive}" for archive in NEWER_ARCHIVES if not (made / f"lib/lib{archive}.a").exists()}
    for name, (required, libraries) in PARTS.items():
        header = (made / "include" / name / "version.h").read_text() + \
            ((made / "include" / name / "version_major.h").read_text() if name != "libavutil" else "")
        numbers = [re.search(rf"_VERSION_{part}\s+(\d+)", header) for part in ("MAJOR", "MINOR", "MICRO")]
        version = ".".join(number[1] for number in numbers if number)
        libraries = " ".join(word for word in libraries.split() if word not in missing)
        (made / "lib/pkgconfig" / f"{name}.pc").write_text(
            "prefix=${pcfiledir}/../..\n\n"
            f"Name: {name}\nDescription: FFmpeg, linked statically\nVersion: {version}\nRequires: {required}\n"
            "Cflags: -I${prefix}/include\nLibs: -L${prefix}/lib -l" + name.removeprefix("lib") + f" {libraries}\n")
    # libmd's own file names the folder of the shared library, which would come first.
    folder = subprocess.run(["pkg-config", "--variable=pcfiledir", "libmd"], check=True, capture_output=True, text=True)
    described = (Path(folder.stdout.strip()) / "libmd.pc").read_text()
    (made / "lib/pkgconfig/libmd.pc").write_text(
        re.sub(r"^Libs:.*", "Libs: -L${pcfiledir}/.. -lmd", described, flags=re.MULTILINE))


def check_contents(made: Path, work: Path, source: Path, log: Path) -> None:
    """Compares what the built libraries contain with the list."""
    program = work / "contents"
    words = subprocess.run(["pkg-config", "--cflags", "--libs", *PARTS], check=True, capture_output=True, text=True,
                           env={**os.environ, "PKG_CONFIG_PATH": str(made / "lib/pkgconfig")}).stdout.split()
    run(["cc", "-o", str(program), str(Path(__file__).with_name("contents.c")), *words], log, work)
    answer = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    actual = {tuple(line.split(" ", 1)) for line in answer.splitlines()}
    expected = {
        (kind, name) for kind, arrays in (("container", ["containers"]), ("decoder", ["decoders", "sound_decoders"]))
        for array in arrays for name in allowed.expected(work / "ffmpeg", source, array)
    }
    if actual != expected:
        lines = [f"  {kind} {name} is not on the allow-list" for kind, name in sorted(actual - expected)] + \
            [f"  {kind} {name} is missing" for kind, name in sorted(expected - actual)]
        raise Problem("FFmpeg was not built as listed:\n" + "\n".join(lines))


def key_of(sources: list[Source], archives: dict[str, Path]) -> str:
    """Returns a digest of everything that the result depends on."""
    digest = hashlib.sha256()
    files = [Path(__file__), Path(allowed.__file__), Path(__file__).with_name("contents.c"), allow_list(), *archives.values()]
    for path in files:
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    for tool in ("cc", "nasm", "meson"):
        digest.update(subprocess.run([tool, "--version"], check=True, capture_output=True).stdout)
    for source in sources:
        digest.update(json.dumps(source.files, sort_keys=True).encode())
    return digest.hexdigest()


def allow_list() -> Path:
    found = list((PROJECT / "Sources/CCover").rglob("allow_list.c"))
    if len(found) != 1:
        raise Problem(f"there are {len(found)} files named allow_list.c in Sources/CCover")
    return found[0]


def build(folder: Path) -> None:
    for tool, package in TOOLS.items():
        if not shutil.which(tool):
            raise Problem(f"{tool} is missing; install {package}")
    archives = archive_paths()
    apt = Apt(folder / "apt")
    apt.update()
    sources = [apt.source("ffmpeg"), apt.source("dav1d")]
    key = key_of(sources, archives)
    record = folder / "sources.json"
    if record.exists() and json.loads(record.read_text())["key"] == key:
        return report_sources(folder, "up to date")
    for source in sources:
        apt.download(source, folder / "downloads")

    work, log = folder / "work", folder / "build.log"
    shutil.rmtree(work, ignore_errors=True)  # an interrupted build starts over
    work.mkdir()
    log.unlink(missing_ok=True)
    for source in sources:
        unpack(source, folder / "downloads", work / source.package, log)
    facts = [
        {"source": source.package, "version": source.version, "date": released(work / source.package),
         "release": RELEASE, "files": source.files} for source in sources
    ]
    revision = sources[0].version.rpartition("-")[2]
    options = [*allowed.options(work / "ffmpeg", allow_list()), f"--extra-version={revision}-bundled-{facts[0]['date']}"]
    report(f"building FFmpeg {sources[0].version} of {facts[0]['date']}; this takes some minutes ({log})")
    build_dav1d(work, log)
    build_ffmpeg(work, options, log)

    made = work / "made"
    libraries = []
    for name, path in archives.items():
        shutil.copyfile(path, made / f"lib/lib{name}.a")
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        libraries.append({"archive": f"lib{name}.a", "sha256": digest, **archive_package(path)})
    describe_for_pkg_config(made)
    check_contents(made, work, allow_list(), log)
    licences = made / "licences"
    licences.mkdir()
    for source in sources:
        shutil.copyfile(work / source.package / "debian/copyright", licences / source.package)
    for library in libraries:
        shutil.copyfile(f"/usr/share/doc/{library['package']}/copyright", licences / library["source"])
    record.unlink(missing_ok=True)
    for part in ("lib", "include", "licences"):
        shutil.rmtree(folder / part, ignore_errors=True)
        (made / part).rename(folder / part)
    unfinished = folder / "sources.json.unfinished"
    unfinished.write_text(json.dumps(
        {"key": key, "sources": facts, "libraries": libraries, "configure": options}, indent=2) + "\n")
    unfinished.rename(record)
    shutil.rmtree(work)
    report_sources(folder, "built")


def report_sources(folder: Path, state: str) -> None:
    for source in json.loads((folder / "sources.json").read_text())["sources"]:
        report(f"{source['source']} {source['version']} of {source['date']}: {state}")


if len(sys.argv) != 2:
    sys.exit("usage: ffmpeg.py FOLDER")
try:
    target = Path(sys.argv[1]).resolve()
    target.mkdir(parents=True, exist_ok=True)
    build(target)
except (Problem, allowed.UnknownName) as problem:
    sys.exit(f"portable: {problem}")
except subprocess.CalledProcessError as problem:
    sys.exit(f"portable: {problem.cmd[0]} failed: {(problem.stderr or '').strip()[-2000:]}")
