import { seedDemo } from '../demo/seed.js';
import { runStart } from './run-start.js';

runStart(seedDemo);
