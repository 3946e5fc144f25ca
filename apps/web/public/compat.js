/* Runs before the app, in any browser: says so where the app cannot run. Lowest versions: Chrome and Edge 111,
   Firefox 115, Safari 16.4. */
(function () {
  // The language the app will have (src/lib/i18n): the one chosen in this browser, else the first of the browser's that
  // there is.
  function languageOf() {
    var chosen = null;
    try {
      chosen = window.localStorage.getItem('locale');
      // oxlint-disable-next-line no-unused-vars -- old browsers want a name here
    } catch (_) {
      // Storage is forbidden: nothing was chosen.
    }
    if (chosen === 'zh' || chosen === 'en') return chosen;
    var tags = navigator.languages || [navigator.language || navigator.userLanguage || ''];
    for (var i = 0; i < tags.length; i++) {
      var language = tags[i].toLowerCase().split('-')[0];
      if (language === 'zh' || language === 'en') return language;
    }
    return 'zh';
  }

  var isEnglish = languageOf() === 'en';
  document.documentElement.lang = isEnglish ? 'en' : 'zh-CN';

  function isNewEnough() {
    return (
      'noModule' in document.createElement('script') &&
      typeof Array.prototype.toSorted === 'function' &&
      typeof CompressionStream === 'function' &&
      typeof HTMLDialogElement === 'function' &&
      window.CSS &&
      CSS.supports &&
      CSS.supports('color', 'color-mix(in srgb, red, blue)')
    );
  }
  if (isNewEnough()) return;

  var versions = 'Chrome 111, Edge 111, Firefox 115, Safari 16.4';
  function show() {
    document.documentElement.setAttribute('data-outdated', '');
    document.body.innerHTML =
      '<div role="alert" style="max-width:560px;margin:12% auto;' +
      'padding:0 24px;font:16px/1.7 sans-serif;color:#1a2634">' +
      '<h1 style="font-size:22px;margin:0 0 8px">' +
      (isEnglish ? 'Your browser is too old' : '\u6d4f\u89c8\u5668\u7248\u672c\u8fc7\u4f4e') +
      '</h1>' +
      '<p>' +
      (isEnglish
        ? 'Rmeet cannot run in this browser. Please update it or use another one. Lowest versions: ' + versions + '.'
        : '\u5f53\u524d\u6d4f\u89c8\u5668\u65e0\u6cd5\u8fd0\u884c Rmeet\uff0c' +
          '\u8bf7\u5347\u7ea7\u6216\u66f4\u6362\u6d4f\u89c8\u5668\u3002\u6700\u4f4e\u7248\u672c\uff1a' +
          versions +
          '\u3002') +
      '</p>' +
      '</div>';
  }
  if (document.addEventListener) document.addEventListener('DOMContentLoaded', show);
  else window.attachEvent('onload', show);
})();
