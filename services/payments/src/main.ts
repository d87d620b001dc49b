import { runMain } from '@payroll/process';
import { serviceCommands } from '@payroll/service';
import { paymentsService } from './service.js';

await runMain('payments', process, serviceCommands(paymentsService, 4014));
