import { runMain } from '@payroll/process';
import { serviceCommands } from '@payroll/service';
import { SandboxProvider } from './payouts/sandbox-provider.js';
import { paymentsService } from './service.js';

const service = paymentsService({ provider: (em) => new SandboxProvider(em) });
await runMain('payments', process, serviceCommands(service, 4014));
