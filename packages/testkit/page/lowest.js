// Runs in a page before its own scripts: removes features that one of the oldest supported browsers
// (apps/web/public/compat.js) lacks, as far as a script can. A current browser then fails where Chrome 111, Firefox 115
// or Safari 16.4 would.
(() => {
  const missing = [
    [AbortSignal, 'any'],
    [Array, 'fromAsync'],
    [ArrayBuffer.prototype, 'transfer', 'transferToFixedLength'],
    [Blob.prototype, 'bytes'],
    [Document, 'parseHTMLUnsafe'],
    [Document.prototype, 'startViewTransition'],
    [Element.prototype, 'checkVisibility', 'getHTML', 'moveBefore', 'setHTMLUnsafe'],
    [Error, 'isError'],
    [HTMLDialogElement.prototype, 'requestClose'],
    [HTMLElement.prototype, 'hidePopover', 'showPopover', 'togglePopover'],
    [Intl, 'DurationFormat', 'Segmenter'],
    [Iterator, 'concat', 'from'],
    [
      Iterator.prototype,
      'drop',
      'every',
      'filter',
      'find',
      'flatMap',
      'forEach',
      'map',
      'reduce',
      'some',
      'take',
      'toArray',
    ],
    [Map, 'groupBy'],
    [Map.prototype, 'getOrInsert', 'getOrInsertComputed'],
    [Math, 'f16round', 'sumPrecise'],
    [Navigator.prototype, 'userActivation', 'wakeLock'],
    [Object, 'groupBy'],
    [Promise, 'try', 'withResolvers'],
    [RegExp, 'escape'],
    [Response.prototype, 'bytes'],
    [
      Set.prototype,
      'difference',
      'intersection',
      'isDisjointFrom',
      'isSubsetOf',
      'isSupersetOf',
      'symmetricDifference',
      'union',
    ],
    [String.prototype, 'isWellFormed', 'toWellFormed'],
    [Uint8Array, 'fromBase64', 'fromHex'],
    [Uint8Array.prototype, 'setFromBase64', 'toBase64', 'toHex'],
    [URL, 'canParse', 'parse'],
    [window, 'Iterator', 'cookieStore', 'navigation', 'requestIdleCallback', 'scheduler'],
  ];
  for (const [owner, ...names] of missing) {
    for (const name of names) delete owner[name];
  }
})();
