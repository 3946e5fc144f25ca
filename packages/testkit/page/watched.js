// Runs in a page before its own scripts: tells packages/testkit/src/watched.ts what goes wrong in it.
(() => {
  const tell = (fault) => navigator.sendBeacon('/watched', fault);
  const words = (what) => (what instanceof Error ? `${what.name}: ${what.message}\n${what.stack}` : String(what));

  // Caught on its way down, since a file that does not load tells its own element alone.
  addEventListener(
    'error',
    ({ error, message, target }) => {
      if (target instanceof Element) tell(`not loaded: ${target.src ?? target.href}`);
      else tell(`uncaught: ${error ? words(error) : message}`);
    },
    true,
  );
  addEventListener('unhandledrejection', ({ reason }) => tell(`unhandled rejection: ${words(reason)}`));
  for (const level of ['error', 'warn']) {
    const write = console[level];
    console[level] = (...what) => {
      tell(`console.${level}: ${what.map(words).join(' ')}`);
      write.apply(console, what);
    };
  }
})();
