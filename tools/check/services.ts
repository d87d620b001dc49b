/**
 * Compares the hand-written parts about services in docker-compose.yml, the balancer and Prometheus with the list of
 * services.
 */
import { SERVICE_PORTS } from '@payroll/kernel';
import { parse } from 'yaml';
import { read, reportFaults } from './repository.ts';

type Texts = Readonly<Record<'compose' | 'balancer' | 'prometheus' | 'alerts', string>>;

interface ComposeFile {
  readonly 'x-subgraphs': Readonly<Record<string, string>>;
  readonly services: Readonly<Record<string, ComposeService | undefined>>;
  readonly volumes: Readonly<Record<string, null>>;
}

interface ComposeService {
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly depends_on?: Readonly<Record<string, unknown>>;
  readonly volumes?: readonly string[];
}

/** One line for each thing to fix; empty if there is none. */
export function findFaults(sources: Texts, ports: Readonly<Record<string, number>> = SERVICE_PORTS): string[] {
  const {
    'x-subgraphs': subgraphs,
    services,
    volumes,
  } = parse(sources.compose, { merge: true, maxAliasCount: -1 }) as ComposeFile;
  return Object.entries(ports).flatMap(([name, port]) => {
    const url = `${name.toUpperCase()}_URL`;
    const volume = `secrets-${name}`;
    const has = (text: string, pattern: string): boolean => new RegExp(pattern, 'm').test(text);
    const wanted: [isThere: boolean, fault: string][] = [
      [name in services, `docker-compose.yml: add the service ${name}`],
      [services[name]?.environment?.['LISTEN_PORT'] === port, `docker-compose.yml: ${name} gets LISTEN_PORT: ${port}`],
      [
        subgraphs[url] === `http://balancer:${port}/graphql`,
        `docker-compose.yml: add ${url}: http://balancer:${port}/graphql to x-subgraphs`,
      ],
      [
        services['set-up']?.volumes?.includes(`${volume}:/volumes/${name}`) ?? false,
        `docker-compose.yml: set-up gets the volume ${volume}:/volumes/${name}`,
      ],
      [volume in volumes, `docker-compose.yml: add ${volume} to volumes`],
      [name in (services['balancer']?.depends_on ?? {}), `docker-compose.yml: balancer depends on ${name}`],
      [
        has(
          sources.balancer,
          `^listen ${name}\\n  bind :${port}\\n(?:  .*\\n)*  server-template replica 10 "${name}\\$\\{NAME_SUFFIX\\}:${port}"$`,
        ),
        `infra/balancer/haproxy.cfg: add a section  listen ${name}  on :${port} for ${name}:${port}`,
      ],
      [
        has(sources.prometheus, `job_name: ${name}\\n.*names: \\[${name}\\]`),
        `infra/monitoring/prometheus/prometheus.yml: add the job ${name}`,
      ],
      [
        has(sources.alerts, `absent\\(up\\{job="${name}"\\} == 1\\), "job", "${name}"`),
        `infra/monitoring/prometheus/alerts.yml: ServiceGone asks for ${name}`,
      ],
    ];
    return wanted.filter(([isThere]) => !isThere).map(([, fault]) => fault);
  });
}

reportFaults(import.meta.url, () =>
  findFaults({
    compose: read('docker-compose.yml'),
    balancer: read('infra/balancer/haproxy.cfg'),
    prometheus: read('infra/monitoring/prometheus/prometheus.yml'),
    alerts: read('infra/monitoring/prometheus/alerts.yml'),
  }),
);
