import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '@payroll/infra/processes';
import { BALANCER_ROOT, fresh, HOME, ROOT, run } from './install.js';

interface Layer {
  digest: string;
  size: number;
}

/** As the specification of OCI images names them. */
interface Configuration {
  Cmd?: string[];
  Entrypoint?: string[];
  Env?: string[];
  StopSignal?: string;
  WorkingDir?: string;
}

const read = (file: string): string => readFileSync(join(repositoryRoot, file), 'utf8');
/** Instructions of that Dockerfile: the images here are built without Docker, and run the same. */
const instructions = (file: string, name: string): string[] =>
  [...read(file).matchAll(new RegExp(`^${name} (.*)$`, 'gm'))].map(([, value]) => value!);

/**
 * Writes all images into one archive for `ctr images import`: Debian is the first layer. Of ours
 * there are two versions.
 */
export function buildImages(
  names: { payroll: readonly string[]; balancer: readonly string[]; nats: string; pause: string },
  archive: string,
): void {
  placePayroll();
  placeBalancer();
  const folder = fresh('image-layers');
  const blobs = join(folder, 'blobs/sha256');
  mkdirSync(blobs, { recursive: true });
  const own = ['payroll', 'compiled'].map((path) => `./${path}`);
  // Programs of nodes only, and files that nothing reads.
  const left = ['usr/bin/containerd*', 'usr/bin/etcd', 'usr/bin/kube*', 'usr/bin/ctr', 'usr/sbin/runc', 'usr/lib/cni']
    .concat(['usr/local/bin/kube*', 'usr/share', 'usr/lib/cni', 'var/cache', 'var/lib/apt', 'var/log'])
    .map((path) => `./${path}`);
  const debian = layer(blobs, ROOT, [...[...own, ...left].map((path) => `--exclude=${path}`), '.']);
  const payroll = layer(blobs, ROOT, ['./payroll', './compiled']);
  const balancer = layer(blobs, BALANCER_ROOT, ['--exclude=./usr/share', '--exclude=./var', '.']);

  const images: [name: string, layers: Layer[], configuration: Configuration][] = [
    [names.pause, [debian], { Entrypoint: ['/usr/bin/catatonit', '-P'] }],
    [names.nats, [debian], { Entrypoint: ['/usr/sbin/nats-server'] }],
    ...names.balancer.map((name): (typeof images)[number] => [
      name,
      [balancer],
      {
        Cmd: JSON.parse(instructions('infra/balancer/Dockerfile', 'CMD')[0]!) as string[],
        StopSignal: instructions('infra/balancer/Dockerfile', 'STOPSIGNAL')[0]!,
        Env: [`IMAGE=${name}`],
      },
    ]),
    ...names.payroll.map((name): (typeof images)[number] => [
      name,
      [debian, payroll],
      // Two versions differ in nothing but their name.
      { WorkingDir: '/payroll', Env: [...instructions('Dockerfile', 'ENV'), `IMAGE=${name}`] },
    ]),
  ];
  const manifests = images.map(([name, layers, configuration]) => {
    const config = blob(blobs, {
      architecture: process.arch === 'x64' ? 'amd64' : process.arch,
      os: 'linux',
      config: { ...configuration, Env: [PATH, ...(configuration.Env ?? [])] },
      rootfs: { type: 'layers', diff_ids: layers.map(({ digest }) => digest) },
    });
    const type = (what: string): { mediaType: string } => ({ mediaType: `application/vnd.oci.image.${what}` });
    const manifest = blob(blobs, {
      schemaVersion: 2,
      config: { ...type('config.v1+json'), ...config },
      layers: layers.map((each) => ({ ...type('layer.v1.tar'), ...each })),
    });
    return { ...type('manifest.v1+json'), ...manifest, annotations: { 'io.containerd.image.name': name } };
  });
  writeFileSync(join(folder, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests }));
  writeFileSync(join(folder, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
  run('tar', ['-cf', archive, '-C', folder, '.'], HOME);
  rmSync(folder, { recursive: true });
}

const PATH = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Puts this build below /payroll, as the Dockerfile does. */
function placePayroll(): void {
  const target = join(ROOT, 'payroll');
  mkdirSync(join(ROOT, 'usr/local/bin'), { recursive: true });
  cpSync(join(repositoryRoot, 'node_modules/node/bin/node'), join(ROOT, 'usr/local/bin/node'));
  const libraries = librariesFor();
  const tidy = ['node_modules', '.git', '.local', './tests', './lab', '*.ts', '*.tsx', '*.map', '*.tsbuildinfo'];
  const script = `rm -rf "$0" && mkdir -p "$0" && cp -a "${libraries}/." "$0" && tar -c "$@" . | tar -x -C "$0"`;
  run('sh', ['-c', script, target, ...tidy.map((each) => `--exclude=${each}`)], repositoryRoot);
  // Keeps their compiled imports, as the Dockerfile does; a process of the image may not write there.
  const compile = `install -d -o 1000 -g 1000 /compiled && cd /payroll && exec setpriv --reuid=1000 --clear-groups \
    env NODE_COMPILE_CACHE=/compiled sh -c '${instructions('Dockerfile', 'RUN').find((line) => line.startsWith('for folder'))!}'`;
  rmSync(join(ROOT, 'compiled'), { recursive: true, force: true });
  run('chroot', [ROOT, 'sh', '-c', compile], HOME);
}

/** Installed again only when the list has changed. */
function librariesFor(): string {
  const [install = ''] = instructions('Dockerfile', 'RUN').filter((line) => line.startsWith('npm ci --omit=dev'));
  const command = install.replace(/\s*\\$/, '');
  const digest = createHash('sha256').update(read('package-lock.json')).update(command).digest('hex').slice(0, 12);
  const folder = join(HOME, `libraries-${digest}`);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.new`;
  const script = `rm -rf "$0" && mkdir -p "$0" && git ls-files -z '*package.json' package-lock.json .npmrc |
    xargs -0 cp --parents -t "$0" && cd "$0" && ${command} &&
    find node_modules -type f \\( -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.map' \\) -delete`;
  run('sh', ['-c', script, unfinished], repositoryRoot);
  renameSync(unfinished, folder);
  return folder;
}

function placeBalancer(): void {
  cpSync(join(repositoryRoot, 'infra/balancer/haproxy.cfg'), join(BALANCER_ROOT, 'etc/haproxy/haproxy.cfg'));
}

/** A part of the file system, as `tar` packs it. */
function layer(blobs: string, root: string, what: readonly string[]): Layer {
  const draft = join(blobs, 'draft');
  run('tar', ['-C', root, '--numeric-owner', '--one-file-system', '-cf', draft, ...what], HOME);
  const digest = execFileSync('sha256sum', [draft], { encoding: 'utf8' }).slice(0, 64);
  renameSync(draft, join(blobs, digest));
  return { digest: `sha256:${digest}`, size: statSync(join(blobs, digest)).size };
}

function blob(blobs: string, content: object): Layer {
  const text = JSON.stringify(content);
  const digest = createHash('sha256').update(text).digest('hex');
  writeFileSync(join(blobs, digest), text);
  return { digest: `sha256:${digest}`, size: Buffer.byteLength(text) };
}
