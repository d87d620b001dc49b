import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { kustomize, render, type Resource } from '../support/kubernetes.js';
import { PLANTED } from './planted.js';
import { networkFindings } from './network.js';
import { completeSecrets } from '@payroll/infra/docker/hand-out';
import { rotated } from '@payroll/infra/rotation';
import {
  connectionFindings,
  durabilityFindings,
  expectedProcesses,
  processFindings,
  settingsRead,
} from './processes.js';
import { safetyFindings } from './safety.js';
import { schemaFindings } from './schemas.js';

if (kustomize === undefined && process.env['CI'] && !process.env['NO_KUSTOMIZE'])
  throw new Error('infra/kubernetes is tested in CI: install kustomize 5, or set NO_KUSTOMIZE');

const overlays = readdirSync(join(import.meta.dirname, '../../infra/kubernetes/overlays'));
/** As docs/operations.md names them. */
const ROTATED = ['database', 'nats', 'actor-keys', 'admission', 'confirmation-key'];
const rules = [processFindings, connectionFindings, durabilityFindings, safetyFindings, networkFindings];

describe.skipIf(kustomize === undefined)(`infra/kubernetes, ${kustomize?.[0] ?? 'skipped: no kustomize 5'}`, () => {
  const rendered = new Map(overlays.map((overlay) => [overlay, kustomize === undefined ? [] : render(overlay)]));
  const findingsOf = async (objects: readonly Resource[], changed = objects): Promise<string[]> => [
    ...(await Promise.all(changed.map(schemaFindings))).flat(),
    ...rules.flatMap((rule) => rule(objects)),
  ];

  test.each(overlays)(
    'the overlay %s fits the schemas of its objects, the processes and who talks to whom',
    async (name) => {
      const objects = rendered.get(name)!;
      expect(objects.length).toBeGreaterThan(60);
      expect(await findingsOf(objects)).toEqual([]);
    },
    // The first one loads all schemas.
    60_000,
  );

  test('every process takes two values of a secret that is rotated, and takes none of them for one', () => {
    const { made } = completeSecrets(new Map(), 'production');
    const begun = rotated('begin', ROTATED, made, completeSecrets(new Map(), 'production').made);
    expect(begun.size).toBeGreaterThan(15);
    const { secrets } = completeSecrets(new Map([...made, ...begun]), 'production');
    const objects = rendered.get('example')!;
    for (const definition of expectedProcesses(objects)) {
      const { config, refusal } = settingsRead(objects, definition, secrets);
      expect([definition.name, refusal]).toEqual([definition.name, undefined]);
      const text = decodeURIComponent(JSON.stringify(config));
      expect([definition.name, [...begun.values()].filter((both) => text.includes(both))]).toEqual([
        definition.name,
        [],
      ]);
    }
  });

  test.each(PLANTED)('$fault in $overlay is found: $finding', async ({ overlay, plant, finding }) => {
    const original = rendered.get(overlay)!;
    const objects = structuredClone(original);
    plant((kind, name) => objects.find((each) => each.kind === kind && each.metadata.name.startsWith(name))!, objects);
    const changed = objects.filter((object) => original.every((each) => !isDeepStrictEqual(each, object)));
    const found = await findingsOf(objects, changed);
    expect(found.filter((each) => each.includes(finding))).not.toEqual([]);
  });
});
