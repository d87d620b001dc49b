export { isDecimal } from './decimal.js';
