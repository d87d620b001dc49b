export { createProvider } from './app.js';
export { startCallingBack } from './call-back.js';
export { NO_FAULTS, type Faults } from './faults.js';
export { Orders, type KnownOrder } from './orders.js';
