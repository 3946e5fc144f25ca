import { readFileSync } from 'node:fs';

/**
 * Loaded before the product in each of its processes and threads (`--import`): time is as many milliseconds ahead as in
 * the file SOAK_CLOCK, so that meetings begin and end during a long run. Timers run normally.
 */
const file = process.env['SOAK_CLOCK'];
const RealDate = Date;
const LOOK_EVERY = 50;

function ahead(): number {
  try {
    return Number(readFileSync(file ?? '', 'utf8')) || 0;
  } catch {
    return 0;
  }
}

if (file !== undefined) {
  let offset = ahead();
  setInterval(() => {
    offset = ahead();
  }, LOOK_EVERY).unref();
  const realNow = RealDate.now;
  RealDate.now = () => realNow() + offset;
  // A proxy instead of a class: dates from another thread are then also instances of it.
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given: [], newTarget): Date =>
      Reflect.construct(
        target,
        given.length === 0 ? [target.now()] : given,
        newTarget === globalThis.Date ? target : newTarget,
      ) as Date,
  });
}
