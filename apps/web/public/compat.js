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

  /* The editor does not work in Internet Explorer: a warning, before all else. */
  function warnOfExplorer() {
    var alert = document.createElement('div');
    alert.setAttribute('role', 'alertdialog');
    alert.setAttribute('aria-modal', 'true');
    alert.setAttribute('aria-labelledby', 'explorer-title');
    alert.setAttribute('data-testid', 'explorer-alert');
    alert.style.cssText =
      'position:absolute;z-index:9999;top:80px;left:50%;width:400px;max-width:90%;margin-left:-200px;' +
      'padding:20px 24px;border:1px solid #b9c0c9;background:#ffffff;color:#1a2634;font:15px/1.7 sans-serif';
    alert.innerHTML =
      '<h2 id="explorer-title" style="margin:0 0 8px;font-size:18px">' +
      (isEnglish ? 'Browser not compatible' : '\u6d4f\u89c8\u5668\u517c\u5bb9\u63d0\u793a') +
      '</h2><p style="margin:0 0 16px">' +
      (isEnglish
        ? 'The editor does not work in Internet Explorer 10 and below. Please use another browser.'
        : '\u5bcc\u6587\u672c\u7f16\u8f91\u5668\u4e0d\u517c\u5bb9 IE10 \u53ca\u4ee5\u4e0b\u6d4f\u89c8\u5668' +
          '\uff0c\u8bf7\u66f4\u6362\u6d4f\u89c8\u5668\u3002') +
      '</p><button type="button" style="padding:4px 20px">' +
      (isEnglish ? 'OK' : '\u786e\u5b9a') +
      '</button>';
    var button = alert.getElementsByTagName('button')[0];
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- Internet Explorer 8 has no addEventListener.
    button.onclick = function () {
      alert.parentNode.removeChild(alert);
    };
    document.body.appendChild(alert);
    button.focus();
  }
  var isExplorer = /MSIE |Trident\//.test(navigator.userAgent);
  var isAtEditor = /^#\/editor(\/|\?|$)/.test(window.location.hash);
  function whenLoaded(run) {
    if (document.addEventListener) document.addEventListener('DOMContentLoaded', run);
    else window.attachEvent('onload', run);
  }
  if (isNewEnough()) {
    if (isExplorer && isAtEditor) whenLoaded(warnOfExplorer);
    return;
  }

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
  whenLoaded(function () {
    show();
    if (isExplorer && isAtEditor) warnOfExplorer();
  });
})();
