import { runMain } from '@payroll/process';
import { serviceCommands } from '@payroll/service';
import { reviewService } from './service.js';

await runMain('review', process, serviceCommands(reviewService));
