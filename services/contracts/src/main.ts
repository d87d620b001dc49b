import { runMain } from '@payroll/runtime';
import { serviceCommands } from '@payroll/service';
import { contractsService } from './service.js';

await runMain('contracts', process, serviceCommands(contractsService));
