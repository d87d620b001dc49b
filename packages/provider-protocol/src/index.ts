export {
  isCallback,
  isCancellation,
  isNotFound,
  isOrder,
  isOrderPage,
  isPayout,
  type Callback,
  type Cancellation,
  type Order,
  type OrderPage,
  type Payout,
  type StatementLine,
} from './shapes.js';
export { CALLBACK_HEADERS, isGenuine, REPLAY_WINDOW_MS, signCallback } from './signature.js';
export { readStatement, writeStatement, type Statement } from './statement.js';
