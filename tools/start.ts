import { seedDemo } from './demo/seed.js';
import { runStart } from './local/run-start.js';

runStart(seedDemo);
