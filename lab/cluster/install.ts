import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '@payroll/infra/processes';
import { progress } from '@payroll/tools/cli';
import { installDebian, runner, versionsIn } from '../namespaces/host.js';

/** Everything that the cluster keeps: the file system of a node, the programs that are built, and the last run. */
export const HOME = join(repositoryRoot, '.local', 'cluster');
/** The file system of each node. Images are made of it too. */
export const ROOT = join(HOME, 'root');

/** The balancer's image: a newer Debian, as infra/kubernetes/README.md says. */
export const BALANCER_ROOT = join(HOME, 'balancer');

export const run = runner(join(HOME, 'install.log'));

/** catatonit is the pause image, NATS that of its image. */
const PACKAGES = [
  ...['containerd', 'runc', 'containernetworking-plugins', 'iptables', 'conntrack', 'iproute2', 'kubernetes-client'],
  ...['etcd-server', 'dnsmasq-base', 'ca-certificates', 'catatonit', 'nats-server'],
];
const BINARIES = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubelet', 'kube-proxy'];

/** Debian's source package of Kubernetes is older than infra/kubernetes expects: `overlay` has the differences. */
const SOURCE = { name: 'kubernetes', release: 'bookworm', version: 'v1.20.2' };
/** The compiler of that time: the vendored libraries do not build with those of today. */
const COMPILER = { release: 'bullseye', packages: ['golang-1.15-go', 'golang-1.15-src'] };

export const versions = (): string =>
  `${versionsIn(ROOT, ['containerd', 'runc', 'etcd-server', 'kubernetes-client', 'nats-server'])}, ${versionsIn(BALANCER_ROOT, ['haproxy'])}`;

export function install(): void {
  mkdirSync(HOME, { recursive: true });
  if (!existsSync(ROOT)) {
    progress('Installing Debian 12 with containerd, runc, CNI plugins and etcd below .local (200 MB, some minutes)');
    installDebian(ROOT, 'bookworm', PACKAGES);
  }
  if (!existsSync(BALANCER_ROOT)) {
    progress('Installing Debian 13 with HAProxy below .local');
    installDebian(BALANCER_ROOT, 'trixie', ['haproxy']);
  }
  const places = BINARIES.map((name) => join(ROOT, 'usr/local/bin', name));
  if (places.every((place) => existsSync(place))) return;
  progress("Compiling Kubernetes from Debian's source package (100 MB; a quarter of an hour on two cores)");
  const built = compile();
  BINARIES.forEach((name, n) => renameSync(join(built, name), places[n]!));
  rmSync(join(HOME, 'build'), { recursive: true });
}

/** @returns the folder of the programs */
function compile(): string {
  const build = join(HOME, 'build');
  const source = join(build, 'go/src/k8s.io/kubernetes');
  if (!existsSync(source)) {
    const sources = join(build, 'sources');
    rmSync(sources, { recursive: true, force: true });
    mkdirSync(join(build, 'go/src/k8s.io'), { recursive: true });
    apt(sources, SOURCE.release, ['--download-only', 'source', SOURCE.name]);
    apt(sources, COMPILER.release, ['download', ...COMPILER.packages]);
    for (const archive of readdirSync(sources).filter((name) => name.endsWith('.deb')))
      run('dpkg', ['-x', archive, build], sources);
    const [description] = readdirSync(sources).filter((name) => name.endsWith('.dsc'));
    run('dpkg-source', ['-x', description!, `${source}.new`], sources);
    renameSync(`${source}.new`, source);
  }
  const compiler = join(build, 'usr/lib/go-1.15');
  const programs = join(build, 'programs');
  const ids = ['client-go/pkg', 'component-base'].map(
    (library) => `-X k8s.io/kubernetes/vendor/k8s.io/${library}/version.gitVersion=${SOURCE.version}`,
  );
  // The one generated file that the archive lacks is made first, as upstream's Makefile does.
  const script = `
    go build -o "$0/openapi-gen" ./vendor/k8s.io/kube-openapi/cmd/openapi-gen
    packages=$(grep -rl --include='*.go' '^// +k8s:openapi-gen=true' pkg cmd plugin staging/src/k8s.io |
      grep -v -e /code-generator/ -e /sample-apiserver/ -e _test.go | xargs -n1 dirname | sort -u |
      sed -e 's,^staging/src/,vendor/,' -e 's,^,k8s.io/kubernetes/,' | paste -sd,)
    "$0/openapi-gen" -i "$packages" -p k8s.io/kubernetes/pkg/generated/openapi -O zz_generated.openapi \
      -h vendor/k8s.io/code-generator/hack/boilerplate.go.txt -r "$0/violations"
    go build -ldflags '-s -w ${ids.join(' ')}' -o "$0/" ${BINARIES.map((name) => `./cmd/${name}`).join(' ')}`;
  run('nice', ['-n', '19', 'sh', '-ec', script, programs], source, {
    GOROOT: compiler,
    GOPATH: join(build, 'go'),
    GOCACHE: join(build, 'cache'),
    GO111MODULE: 'off',
    CGO_ENABLED: '0',
    LC_ALL: 'C',
    PATH: `${join(compiler, 'bin')}:${process.env['PATH']}`,
  });
  return programs;
}

/** With a list of sources of its own: the host need not have them. */
function apt(folder: string, release: string, args: readonly string[]): void {
  const own = join(folder, `apt-${release}`);
  for (const place of ['lists/partial', 'cache/archives/partial']) mkdirSync(join(own, place), { recursive: true });
  const list = join(own, 'sources.list');
  const mirror = `http://deb.debian.org/debian ${release} main`;
  writeFileSync(list, `deb ${mirror}\ndeb-src ${mirror}\n`);
  const options = [
    ...['-o', 'Dir::Etc::SourceParts=-', '-o', `Dir::Etc::SourceList=${list}`, '-o', 'APT::Sandbox::User=root'],
    ...['-o', `Dir::State::Lists=${join(own, 'lists')}`, '-o', `Dir::Cache=${join(own, 'cache')}`],
  ];
  run('apt-get', ['-q', ...options, 'update'], folder);
  run('apt-get', ['-q', ...options, ...args], folder);
}

/** A folder without the files of an earlier run. */
export function fresh(name: string): string {
  const folder = join(HOME, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}
