export { isDecimal } from '../../../packages/kernel/src/decimal.js';
