import { runMain } from '@payroll/runtime';
import { serviceCommands } from '@payroll/service';
import { reviewService } from './service.js';

await runMain('review', process, serviceCommands(reviewService));
