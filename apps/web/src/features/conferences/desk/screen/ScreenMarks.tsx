import { Icon, type IconName } from '../../../../ui/icons.tsx';
import type { TerminalRow } from '../model/rows.ts';
import { useT } from '../texts.tsx';

/** Badges for a terminal that sees, or is shown, something different from the others. */
export function ScreenMarks({
  row: { sharing, contentOff, contentLocked, ownLayout, ownBanner },
}: {
  row: TerminalRow;
}) {
  const t = useT();
  const marks = [
    { is: sharing, key: 'sharing', icon: 'share' },
    { is: contentLocked, key: 'contentLocked', icon: 'lock' },
    { is: contentOff, key: 'contentOff', icon: 'shareStop' },
    { is: ownLayout, key: 'ownLayout', icon: 'layout' },
    { is: ownBanner, key: 'ownBanner', icon: 'captions' },
  ] as const satisfies readonly { is: boolean; key: string; icon: IconName }[];
  const shown = marks.filter(({ is }) => is);
  if (shown.length === 0) return null;
  return (
    <span className="desk-marks">
      {shown.map(({ key, icon }) => (
        <span key={key} className="desk-mark" title={t(`screen.mark.${key}`)} data-testid={`desk-mark-${key}`}>
          <Icon name={icon} size={14} />
          <span className="visually-hidden">{t(`screen.mark.${key}`)}</span>
        </span>
      ))}
    </span>
  );
}
