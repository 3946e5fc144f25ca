import { useDesk, useDeskPart, useRights, useView } from '../context.ts';
import { NOTHING_SELECTED } from '../model/listView.ts';
import type { CommandRequest } from '../../shared/commands.ts';
import type { IconName } from '../../../../ui/icons.tsx';
import { ActionButton } from '../components/ActionButton.tsx';
import { useT } from '../texts.tsx';

interface Bulk {
  verb: CommandRequest['verb'];
  key: 'mute' | 'unmute' | 'askUnmute' | 'cameraOff' | 'cameraOn' | 'coChair' | 'sendBack';
  icon: IconName;
  /** The most used actions have visible labels. */
  bare?: true;
  command: (termIds: string[]) => CommandRequest;
}

const BULK: readonly Bulk[] = [
  { verb: 'mute', key: 'mute', icon: 'micOff', command: (termIds) => ({ verb: 'mute', termIds, muted: true }) },
  { verb: 'mute', key: 'unmute', icon: 'mic', command: (termIds) => ({ verb: 'mute', termIds, muted: false }) },
  {
    verb: 'askUnmute',
    key: 'askUnmute',
    icon: 'askMic',
    bare: true,
    command: (termIds) => ({ verb: 'askUnmute', termIds }),
  },
  {
    verb: 'camera',
    key: 'cameraOff',
    icon: 'cameraOff',
    bare: true,
    command: (termIds) => ({ verb: 'camera', termIds, open: false }),
  },
  {
    verb: 'camera',
    key: 'cameraOn',
    icon: 'camera',
    bare: true,
    command: (termIds) => ({ verb: 'camera', termIds, open: true }),
  },
  {
    verb: 'coChairs',
    key: 'coChair',
    icon: 'chair',
    bare: true,
    command: (termIds) => ({ verb: 'coChairs', termIds, appoint: true }),
  },
  {
    verb: 'sendBack',
    key: 'sendBack',
    icon: 'door',
    bare: true,
    command: (termIds) => ({ verb: 'sendBack', termIds }),
  },
];

/** Actions for all selected terminals; replaces the toolbar while there is a selection. */
export function BulkBar() {
  const t = useT();
  const desk = useDesk();
  const rights = useRights();
  const ids = useView(({ selection }) => selection.ids);
  const total = useDeskPart(({ rows }) => rows.length);
  if (ids.size === 0) return null;
  const termIds = [...ids];
  return (
    <div className="desk-bulk" role="toolbar" aria-label={t('bulk.title')} data-testid="desk-bulk">
      <strong aria-live="polite">{t('bulk.count', { count: ids.size, total })}</strong>
      {BULK.filter(({ verb }) => rights.may(verb)).map(({ key, verb, icon, bare = false, command }) => (
        <ActionButton
          key={key}
          bare={bare}
          icon={icon}
          size={18}
          label={t(`menu.${key}`)}
          cannot={rights.cannot(verb)}
          data-testid={`desk-bulk-${key}`}
          onAction={() => void desk.act(command(termIds))}
        />
      ))}
      {rights.may('muteAll') && (
        <ActionButton
          icon="micAll"
          size={18}
          label={t('bulk.muteOthers')}
          cannot={rights.cannot('muteAll')}
          data-testid="desk-bulk-mute-others"
          onAction={() => void desk.act({ verb: 'muteAll', muted: true, except: termIds, allowSelfUnmute: null })}
        />
      )}
      {rights.may('remove') && (
        <ActionButton
          icon="remove"
          size={18}
          label={t('menu.remove')}
          className="desk-act-danger"
          cannot={rights.cannot('remove')}
          data-testid="desk-bulk-remove"
          onAction={() => desk.view.set({ removing: termIds })}
        />
      )}
      <ActionButton
        icon="close"
        size={18}
        label={t('bulk.clear')}
        data-testid="desk-bulk-clear"
        onAction={() => desk.view.set({ selection: NOTHING_SELECTED })}
      />
    </div>
  );
}
