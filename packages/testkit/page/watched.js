// Runs in a page before its own scripts: reports errors in it to packages/testkit/src/watched.ts.
(() => {
  const tell = (fault) => navigator.sendBeacon('/watched', fault);
  const words = (what) => (what instanceof Error ? `${what.name}: ${what.message}\n${what.stack}` : String(what));

  // Leaving a page cancels the files that it fetches ahead, or waits for.
  let isLeaving = false;
  addEventListener('beforeunload', () => {
    isLeaving = true;
  });

  // In the capture phase, because a file that fails to load only notifies its own element.
  addEventListener(
    'error',
    ({ error, message, target }) => {
      if (target instanceof Element && isLeaving) return;
      if (target instanceof Element) tell(`not loaded: ${target.src ?? target.href}`);
      else tell(`uncaught: ${error ? words(error) : message}`);
    },
    true,
  );
  addEventListener('unhandledrejection', ({ reason }) => tell(`unhandled rejection: ${words(reason)}`));
  for (const level of ['error', 'warn']) {
    const write = console[level];
    console[level] = (...what) => {
      if (!isLeaving || !what.some((one) => one?.name === 'ChunkError'))
        tell(`console.${level}: ${what.map(words).join(' ')}`);
      write.apply(console, what);
    };
  }
})();
