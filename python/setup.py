"""Builds the extension and, for a wheel, puts the C library and what it needs beside it.

LOSSLEAK_FROM says where liblossleak comes from:
    tree         built by CMake out of the source tree, and carried (the default where there is one)
    carry:DIR    built already, in DIR, and carried
    graft        built by CMake out of the source tree, and left where it is: auditwheel puts it and what it needs into the wheel
    link:DIR     built already, and found in DIR at run time
    plain:DIR    built already, in DIR, and found at run time where the loader looks (Debian's packages)
    system       installed; pkg-config knows it (the default without a tree)
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import lossleak_ffi  # noqa: E402

# A source distribution has the C sources in `source`; in the repository they are around this folder.
TREE = next((tree for tree in (HERE / "source", HERE.parent) if (tree / "CMakeLists.txt").exists()), None)
SOURCES = ("CMakeLists.txt", "CMakePresets.json", "LICENSE", "cmake", "include", "src")

# What every Linux has, and what must be the system's own.
EVERYWHERE = re.compile(r"(ld-linux.*|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+))\.so")


def version():
    stated = HERE / "VERSION"
    if TREE is None or stated.exists():
        return stated.read_text(encoding="utf-8").strip()
    return re.search(r"project\(lossleak VERSION (\S+)", (TREE / "CMakeLists.txt").read_text(encoding="utf-8"))[1]


def pkg_config(what):
    return subprocess.run(["pkg-config", *what, "lossleak"], check=True, capture_output=True, text=True).stdout.strip()


def build_tree():
    """liblossleak out of the tree; its folder."""
    folder = HERE / "build" / "cmake"
    subprocess.run(["cmake", "-S", str(TREE), "-B", str(folder), "-DCMAKE_BUILD_TYPE=Release", "-DLL_CORE_ONLY=ON",
                    "-DCMAKE_C_FLAGS_RELEASE=-O3"], check=True, stdout=sys.stderr)
    subprocess.run(["cmake", "--build", str(folder), "--target", "lossleak_shared", "--parallel", str(os.cpu_count() or 1)], check=True,
                   stdout=sys.stderr)
    return folder


def find_library():
    """(include folder, library folder, run path, form)"""
    form, _, folder = os.environ.get("LOSSLEAK_FROM", "tree" if TREE else "system").partition(":")
    if form == "system":
        return pkg_config(["--variable=includedir"]), pkg_config(["--variable=libdir"]), None, form
    folder = build_tree() if form in ("tree", "graft") else pathlib.Path(folder).resolve()
    # link: the build tree has the package three folders below its libraries (python/lib/lossleak)
    run_path = {"link": "$ORIGIN/../../..", "plain": None, "graft": folder}.get(form, "$ORIGIN/libraries")
    return TREE / "include", folder, run_path, form


def needed(library):
    """The libraries that the loader takes for this one: soname -> file."""
    lines = subprocess.run(["ldd", str(library)], check=True, capture_output=True, text=True).stdout
    return {name: path for name, path in re.findall(r"^\s*(\S+) => (/\S+)", lines, re.M) if not EVERYWHERE.match(name)}


def carry(library, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name, path in {library.name: library, **needed(library)}.items():
        shutil.copyfile(path, folder / name)
        os.chmod(folder / name, 0o644)


def package_of(path):
    """The Debian package that a library is of, or None; loaders see /lib where packages have /usr/lib."""
    real = os.path.realpath(path)
    for name in (real, real.removeprefix("/usr")) if shutil.which("dpkg-query") else ():
        found = subprocess.run(["dpkg-query", "-S", name], capture_output=True, text=True, check=False).stdout
        if found:
            return found.split(":")[0]
    print(f"setup.py: no Debian package has {real}: add its licence before you hand the wheel on", file=sys.stderr)
    return None


def copy_licences(library, folder):
    """The licences of all libraries that a wheel holds, and the texts that they refer to."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(TREE / "LICENSE", folder / "lossleak.txt")
    for package in {package_of(path) for path in needed(library).values()} - {None}:
        shutil.copyfile(f"/usr/share/doc/{package}/copyright", folder / f"{package}.txt")
    texts = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.txt"))
    for name in set(re.findall(r"/usr/share/common-licenses/([A-Z]+-[\d.]*\d)", texts)):
        shutil.copyfile(f"/usr/share/common-licenses/{name}", folder / name)


class BuildExtension(build_ext):
    def run(self):
        include, libraries, run_path, form = find_library()
        made = lossleak_ffi.builder(include, libraries, run_path).distutils_extension(self.build_temp, verbose=False)
        extension = self.extensions[0]
        for part in ("sources", "libraries", "include_dirs", "library_dirs", "extra_link_args", "extra_compile_args"):
            setattr(extension, part, getattr(made, part))
        super().run()
        guard = lossleak_ffi.guard_builder(include)
        if guard is not None:
            guard.emit_python_code(str(pathlib.Path(self.get_ext_fullpath(extension.name)).parent / "_guard_header.py"))
        library, package = pathlib.Path(libraries) / "liblossleak.so.1", pathlib.Path(self.get_ext_fullpath(extension.name)).parent
        if form in ("tree", "carry"):
            carry(library, package / "libraries")
        if form in ("tree", "carry", "graft"):
            copy_licences(library, package / "licences")


class SourceDistribution(sdist):
    """With the C sources, so that a wheel can be made of it."""

    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        target = pathlib.Path(base_dir)
        (target / "VERSION").write_text(version() + "\n", encoding="utf-8")
        (target / "source").mkdir()
        for name in SOURCES:
            source = TREE / name
            (shutil.copytree if source.is_dir() else shutil.copy2)(source, target / "source" / name)

    def run(self):
        (HERE / "build").mkdir(exist_ok=True)
        super().run()


setup(version=version(), ext_modules=[Extension("lossleak._lossleak", [], py_limited_api=True)],
      cmdclass={"build_ext": BuildExtension, "sdist": SourceDistribution},
      options={"bdist_wheel": {"py_limited_api": "cp39"}})
