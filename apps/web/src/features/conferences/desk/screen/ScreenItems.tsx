import type { CommandRequest } from '../../shared/commands.ts';
import { useDesk, type Rights } from '../context.ts';
import { Icon, type IconName } from '../../../../ui/icons.tsx';
import type { TerminalRow } from '../model/rows.ts';
import { useT } from '../texts.tsx';
import { cannotText } from '../describe.ts';
import type { ScreenVerb } from './describe.ts';

interface ScreenItemsProps {
  row: TerminalRow;
  rights: Rights;
  onClose: () => void;
}

type ItemKey =
  | 'layout'
  | 'commonLayout'
  | 'captions'
  | 'captionsClear'
  | 'lock'
  | 'unlock'
  | 'ask'
  | 'hold'
  | 'release';

/** Menu items for what one terminal sees and sends. */
export function ScreenItems({ row, rights, onClose }: ScreenItemsProps) {
  const t = useT();
  const desk = useDesk();
  const { termId, sharing, contentOff, contentLocked, ownLayout, ownBanner } = row;
  const act = (command: CommandRequest<ScreenVerb>) => () => {
    onClose();
    void desk.act(command);
  };
  const open = (part: 'layout' | 'captions') => () => {
    onClose();
    desk.view.set({ screenOf: { part, termId } });
  };
  const item = (verb: ScreenVerb, key: ItemKey, icon: IconName, run: () => void) => {
    if (!rights.may(verb)) return null;
    const cannot = rights.cannot(verb, row);
    return (
      <button
        type="button"
        className="desk-choice"
        aria-disabled={cannot === null ? undefined : true}
        data-testid={`desk-menu-${key}`}
        onClick={cannot === null ? run : undefined}
      >
        <Icon name={icon} size={18} />
        <span>
          {t(`screen.menu.${key}`)}
          {cannot !== null && <small>{cannotText(cannot, t)}</small>}
        </span>
      </button>
    );
  };
  const isAny = (['terminalLayout', 'banner', 'contentLock', 'dualStream'] as const).some((verb) => rights.may(verb));
  if (!isAny) return null;
  return (
    <>
      <hr />
      {item('terminalLayout', 'layout', 'layout', open('layout'))}
      {ownLayout &&
        item('terminalLayout', 'commonLayout', 'undo', act({ verb: 'terminalLayout', termId, layout: null }))}
      {item('banner', 'captions', 'captions', open('captions'))}
      {ownBanner && item('banner', 'captionsClear', 'close', act({ verb: 'banner', termId, banner: { text: '' } }))}
      {contentLocked && item('contentLock', 'unlock', 'unlock', act({ verb: 'contentLock', termId: null }))}
      {sharing && !contentLocked && item('contentLock', 'lock', 'lock', act({ verb: 'contentLock', termId }))}
      {!sharing && !contentOff && item('dualStream', 'ask', 'share', act({ verb: 'dualStream', termId, open: true }))}
      {contentOff
        ? item('dualStream', 'release', 'share', act({ verb: 'dualStream', termId, open: true }))
        : item('dualStream', 'hold', 'shareStop', act({ verb: 'dualStream', termId, open: false }))}
    </>
  );
}
