/** Runs in the page and measures from the click to the painted frame. */
export const stopwatch = `
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const frame = () => new Promise(requestAnimationFrame);
  // A message that is posted before a frame is drawn arrives right after it.
  const painted = async () => {
    await frame();
    await new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = resolve;
      port2.postMessage(null);
    });
  };
  const measure = async (act, done) => {
    const began = performance.now();
    act();
    while (!done()) await frame();
    await painted();
    return performance.now() - began;
  };
  const cards = () => [...document.querySelectorAll('[data-student]')];
  const button = (name) => [...document.querySelectorAll('button')]
    .find((one) => (one.getAttribute('aria-label') ?? one.textContent).startsWith(name));
  const chosen = () => document.querySelectorAll('[data-selected=yes]').length;
  const text = () => cards().map((card) => card.textContent).join();
`;

/** Milliseconds per round, by measurement. */
export type MeasuredTimes = Readonly<Record<string, readonly number[]>>;
