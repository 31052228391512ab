// Runs in the browser, in the page that is checked: what was loaded, painted and moved, and which text is cut off or too
// small. page-visits.ts evaluates this text and calls its functions.
globalThis.pageChecks = (() => {
  const SMALLEST_PX = 11;

  /** Entries of a kind that the browser has recorded since the page was opened. */
  const readEntries = (type) =>
    new Promise((done) => {
      const observer = new PerformanceObserver((list) => {
        observer.disconnect();
        done(list.getEntries());
      });
      observer.observe({ type, buffered: true });
      // Without entries the observer is never called.
      setTimeout(() => {
        done(observer.takeRecords());
        observer.disconnect();
      }, 100);
    });

  const sum = (values) => values.reduce((total, value) => total + value, 0);
  const nodeText = (node) => (node?.outerHTML ?? String(node?.textContent)).slice(0, 80);

  async function recordedVisit() {
    const [paints, allShifts] = await Promise.all(
      ['largest-contentful-paint', 'layout-shift'].map(readEntries),
    );
    const shifts = allShifts.filter((shift) => !shift.hadRecentInput);
    const loads = [
      ...performance.getEntriesByType('navigation'),
      ...performance.getEntriesByType('resource'),
    ];
    return {
      requests: loads.length,
      wireBytes: sum(loads.map(({ encodedBodySize }) => encodedBodySize)),
      bytes: sum(loads.map(({ decodedBodySize }) => decodedBodySize)),
      renderBlocking: loads
        .filter(({ renderBlockingStatus }) => renderBlockingStatus === 'blocking')
        .map(({ name }) => name),
      lcp: paints.at(-1)?.startTime ?? Number.NaN,
      layoutShift: sum(shifts.map(({ value }) => value)),
      moved: shifts.flatMap(({ sources }) => sources.map(({ node }) => nodeText(node))),
    };
  }

  /** Text that is outside the window or its chart, and text of charts under 11 px on the screen. */
  const textFaults = () => [
    ...[...document.querySelectorAll('svg text')].flatMap(chartTextFaults),
    ...textOutsideWindow(),
  ];

  function chartTextFaults(text) {
    const { fontSize, visibility } = getComputedStyle(text);
    const scale = text.getScreenCTM()?.a ?? 0;
    if (scale === 0 || visibility === 'hidden') return [];
    const size = Number.parseFloat(fontSize) * scale;
    const frame = (text.closest('figure') ?? text.closest('svg')).getBoundingClientRect();
    const { left, right } = text.getBoundingClientRect();
    return [
      // A hundredth is lost where a width is not a whole number of pixels.
      ...(size < SMALLEST_PX - 0.05 ? [`${size.toFixed(2)} px: ${text.textContent}`] : []),
      ...(left < frame.left || right > frame.right ? [`outside its chart: ${text.textContent}`] : []),
    ];
  }

  /** Regions that scroll are checked by `wideTables`; `unseen` is for screen readers. */
  const ELSEWHERE = 'svg, pre, textarea, .scroll, .unseen, .skip';

  function textOutsideWindow() {
    const faults = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      if (node.parentElement.closest(ELSEWHERE)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const boxes = [...range.getClientRects()].filter(({ width }) => width > 0);
      if (boxes.some(({ left, right }) => left < 0 || right > innerWidth + 0.5))
        faults.push(`outside the window: ${node.textContent.trim()}`);
    }
    return faults;
  }

  /** Tables that have to be scrolled sideways; those that are folded up are opened. A heat map may scroll. */
  function wideTables() {
    for (const details of document.querySelectorAll('details')) details.open = true;
    return [...document.querySelectorAll('table')]
      .filter(({ parentElement: region }) => region.scrollWidth > region.clientWidth + 1)
      .filter((table) => !table.closest('.heat'))
      .map((table) => table.caption?.textContent ?? '');
  }

  /** Words of tables that are broken in two for want of room; tables that are folded up have been opened before. */
  function brokenWords() {
    const broken = [];
    for (const table of document.querySelectorAll('.scroll table')) {
      const texts = document.createTreeWalker(table, NodeFilter.SHOW_TEXT);
      for (let node = texts.nextNode(); node; node = texts.nextNode())
        for (const { 0: word, index } of node.textContent.matchAll(/\p{L}{2,}/gu)) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
          if (lines.size > 1 && !node.parentElement.closest('code')) broken.push(word);
        }
    }
    return broken;
  }

  /** The heading of the table's row that is nearest to a share of the chart's width, and what the chart shows. */
  function figuresAt(figureAt, svgAt, share) {
    const figure = document.querySelectorAll('figure.chart')[figureAt];
    const at = share * figure.querySelectorAll('svg')[svgAt].viewBox.baseVal.width;
    const distance = (row) => Math.abs(Number(row.dataset.x) - at);
    const [row] = [...figure.querySelectorAll('tr[data-x]')].sort((a, b) => distance(a) - distance(b));
    return [row.cells[0].textContent.trim(), figure.querySelector('.readout').textContent];
  }

  const CODE = 'code, pre, textarea, kbd, samp';
  /** JSON, a hash or a command. */
  const looksLikeCode = (text) => /^\s*[{[]\s*"|"\w+":|\b[0-9a-f]{32,}\b|\bcurl -/.test(text);
  const ruler = document.createElement('canvas').getContext('2d');

  /** Whether narrow letters are as wide as wide ones in the face that the browser has chosen. */
  function isMonospaced(element) {
    const { fontStyle, fontWeight, fontSize, fontFamily } = getComputedStyle(element);
    ruler.font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`;
    return Math.abs(ruler.measureText('iiii').width - ruler.measureText('MMMM').width) < 0.01;
  }

  /** Code, JSON and hashes that are shown in a proportional face; what is folded up too. */
  function proportionalCode() {
    const faults = [...document.querySelectorAll(CODE)]
      .filter((element) => !isMonospaced(element))
      .map(nodeText);
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode())
      if (looksLikeCode(node.textContent) && !isMonospaced(node.parentElement))
        faults.push(nodeText(node.parentElement));
    return [...new Set(faults)];
  }

  /** Texts to take away without a button that copies them, and pages that speak of copying and have no button. */
  function copyFaults() {
    const isShown = (element) => element.checkVisibility({ contentVisibilityAuto: false });
    const buttons = [...document.querySelectorAll('button.copy')];
    const lone = [...document.querySelectorAll('pre:not(.reply), textarea[readonly]')].filter(
      ({ parentElement }) => !parentElement.querySelector('button.copy'),
    );
    const says = /\bcop(?:y|ied)\b/i.test(document.querySelector('main').innerText);
    return [
      ...lone.map(nodeText),
      ...(says && !buttons.some(isShown) ? ['it says copy, without a button'] : []),
    ];
  }

  return { proportionalCode, copyFaults, recordedVisit, textFaults, wideTables, brokenWords, figuresAt };
})();
