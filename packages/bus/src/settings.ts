import type { Settings } from '@payroll/process';

/** Where NATS is and how it is known to be NATS. */
export interface NatsSettings {
  /** `nats://user:password@host:port`, or `tls://…`; servers of one cluster with commas. The user is the process. */
  url: string;
  /** PEM files, over TLS: who may vouch for the server (default: the public authorities), and what we show ourselves. */
  caFile?: string;
  certFile?: string;
  keyFile?: string;
}

export function natsSettings(s: Settings): NatsSettings {
  const [caFile, certFile, keyFile] = [
    s.text('NATS_CA_FILE', ''),
    s.text('NATS_CERT_FILE', ''),
    s.text('NATS_KEY_FILE', ''),
  ];
  return {
    url: s.natsUrl(),
    ...(caFile !== '' && { caFile }),
    ...(certFile !== '' && { certFile }),
    ...(keyFile !== '' && { keyFile }),
  };
}
