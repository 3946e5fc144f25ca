import { readFileSync } from 'node:fs';

/**
 * Loaded before the product in each of its processes and threads (`--import`): time is as many milliseconds ahead as
 * the file SOAK_CLOCK says, so that meetings begin and end while a long run is on. Timers go as they always do.
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
  // A proxy and no class of its own: dates that come from another thread are instances of it, too.
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given: [], newTarget): Date =>
      Reflect.construct(
        target,
        given.length === 0 ? [target.now()] : given,
        newTarget === globalThis.Date ? target : newTarget,
      ) as Date,
  });
}
