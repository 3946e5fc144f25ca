import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

interface ChartProps {
  /** What the picture shows, for screen readers; its values are in the table beside it. */
  label: string;
  /** One for each value. */
  names: readonly string[];
  /** Null: not known. */
  values: readonly (number | null)[];
  /** A value in words. */
  wordsOf: (value: number) => string;
}

const HEIGHT = 260;
const BAR = '#1458a6';
const TEXT = '#52606f';
const GRID = '#e4e9ef';
/** Steps of values: whole ones, because meetings and people are counted. */
const STEPS = Array.from({ length: 14 }, (_, n) => [1, 2, 5].map((step) => step * 10 ** n)).flat();
const FONT = '12px system-ui, sans-serif';
const bars = uPlot.paths.bars?.({ size: [0.7, 48], align: 0 });

function optionsOf(
  width: number,
  { names, wordsOf }: Pick<ChartProps, 'names' | 'wordsOf'>,
  onPoint: (index: number | null) => void,
): uPlot.Options {
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    scales: {
      x: { time: false, range: (_, min, max) => [min - 0.5, max + 0.5] },
      y: { range: (_, __, max) => [0, max > 0 ? max * 1.08 : 1] },
    },
    axes: [
      {
        stroke: TEXT,
        font: FONT,
        grid: { show: false },
        ticks: { stroke: GRID },
        space: 90,
        incrs: [1, 2, 5, 7, 10, 14, 30, 60, 100, 200],
        values: (_, places) => places.map((place) => names[place] ?? ''),
      },
      {
        stroke: TEXT,
        font: FONT,
        size: 72,
        incrs: STEPS,
        grid: { stroke: GRID },
        ticks: { stroke: GRID },
        values: (_, places) => places.map(wordsOf),
      },
    ],
    series: [{}, { fill: BAR, stroke: BAR, width: 0, ...(bars ? { paths: bars } : {}), points: { show: false } }],
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
  };
}

/** A bar for each day, week or month; the value under the pointer is shown in words. */
export function Chart({ label, names, values, wordsOf }: ChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const readout = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const { current } = frame;
    if (!current) return undefined;
    const show = (index: number | null): void => {
      const value = index === null ? null : values[index];
      const text = index === null || value === null || value === undefined ? '' : `${names[index]}: ${wordsOf(value)}`;
      if (readout.current) readout.current.textContent = text;
    };
    const plot = new uPlot(
      optionsOf(current.clientWidth, { names, wordsOf }, show),
      [names.map((_, n) => n), [...values]],
      current,
    );
    const watcher = new ResizeObserver(() => plot.setSize({ width: current.clientWidth, height: HEIGHT }));
    watcher.observe(current);
    return () => {
      watcher.disconnect();
      plot.destroy();
    };
  }, [names, values, wordsOf]);
  return (
    <div className="statistics-chart">
      <div ref={frame} role="img" aria-label={label} data-testid="statistics-chart" />
      <p ref={readout} className="statistics-readout" aria-hidden="true" />
    </div>
  );
}
