import { runMain } from '@payroll/process';
import { serviceCommands } from '@payroll/service';
import { contractsService } from './service.js';

await runMain('contracts', process, serviceCommands(contractsService));
