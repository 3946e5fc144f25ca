import './watermark.css';

/** Enough for the largest screen; what is too much is cut off. */
const TILES = Array.from({ length: 80 }, (_, at) => at);

/** The viewer's name all over the picture, so that a film of the screen shows whose it was. */
export function Watermark({ name }: { name: string }) {
  return (
    <div className="watermark" aria-hidden="true" data-testid="watermark">
      {TILES.map((at) => (
        <span key={at}>{name}</span>
      ))}
    </div>
  );
}
