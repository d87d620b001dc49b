import { readFileSync } from 'node:fs';

/** Loaded into a process before its program: shifts its Date by the milliseconds in the file `CLOCK_FILE`. */

const LOOK_MS = 100;
const file = process.env['CLOCK_FILE'];
const RealDate = Date;
const realNow = Date.now.bind(Date);
let offsetMs = 0;

RealDate.now = () => realNow() + offsetMs;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, created) =>
    Reflect.construct(target, args.length === 0 ? [RealDate.now()] : args, created) as Date,
  apply: () => new RealDate(RealDate.now()).toString(),
});

function look(): void {
  try {
    offsetMs = Number(readFileSync(file!, 'utf8'));
  } catch {
    offsetMs = 0;
  }
}

if (file !== undefined) {
  look();
  setInterval(look, LOOK_MS).unref();
}
