import { useEffect } from 'react';
import { PHONE, useMediaQuery } from '../../../lib/useMediaQuery.ts';
import { ActionBar } from './actions/ActionBar.tsx';
import { useDesk, useDeskPart, useView } from './context.ts';
import { DeskHeader } from './DeskHeader.tsx';
import { GrantsDialog } from './dialogs/GrantsDialog.tsx';
import { HelpDialog } from './dialogs/HelpDialog.tsx';
import { LinksDialog } from './dialogs/LinksDialog.tsx';
import { RemoveDialog } from './dialogs/RemoveDialog.tsx';
import { StreamsDialog } from './dialogs/StreamsDialog.tsx';
import { BulkBar } from './list/BulkBar.tsx';
import { ListToolbar } from './list/ListToolbar.tsx';
import { TerminalList } from './list/TerminalList.tsx';
import { keepPresent } from './model/listView.ts';
import { ScreenDialog } from './screen/ScreenDialog.tsx';
import { Preview } from './side/Preview.tsx';
import { SidePanel } from './side/SidePanel.tsx';
import { useT } from './texts.tsx';
import { TopologyDialog } from './topology/TopologyDialog.tsx';
import { useShortcuts } from './useShortcuts.ts';
import { Wall } from './Wall.tsx';

/** The open desk: actions on top, the terminals below, the preview and the waiting list beside them. */
export function Desk() {
  const t = useT();
  const desk = useDesk();
  const link = useDeskPart((snapshot) => snapshot.link);
  const rows = useDeskPart((snapshot) => snapshot.rows);
  const subject = useDeskPart(({ state }) => state.subject);
  const mayAct = useDeskPart(({ state }) => state.can.length > 0);
  const isPhone = useMediaQuery(PHONE);
  useShortcuts();
  useEffect(() => {
    document.title = `${subject} · ${t('title')} · Rmeet`;
  }, [subject, t]);
  useEffect(() => {
    const { selection } = desk.view.getSnapshot();
    desk.view.set({ selection: keepPresent(selection, rows) });
  }, [desk, rows]);

  return (
    <main className="desk" data-testid="desk">
      <DeskHeader />
      {link === 'reconnecting' && (
        <p className="desk-banner" role="alert" data-testid="desk-reconnecting">
          {t('reconnecting')}
        </p>
      )}
      {mayAct ? (
        <ActionBar />
      ) : (
        <p className="desk-viewer" data-testid="desk-viewer">
          {t('viewer')}
        </p>
      )}
      {!isPhone && <Terminals />}
      <section className="desk-side" aria-label={t('side.title')}>
        <Preview />
        {/* A phone has no space beside the terminals: they are the first tab. */}
        <SidePanel list={isPhone ? <Terminals /> : null} />
      </section>
      <Dialogs />
      <ScreenDialog />
    </main>
  );
}

function Terminals() {
  const t = useT();
  const mayAct = useDeskPart(({ state }) => state.can.length > 0);
  const layout = useView((view) => view.layout);
  return (
    <section className="desk-main" aria-label={t('list.title')}>
      <ListToolbar />
      {mayAct && <BulkBar />}
      {layout === 'list' ? <TerminalList /> : <Wall />}
    </section>
  );
}

function Dialogs() {
  const desk = useDesk();
  const streamsOf = useView((view) => view.streamsOf);
  const removing = useView((view) => view.removing);
  const dialog = useView((view) => view.dialog);
  if (removing !== null) return <RemoveDialog termIds={removing} onClose={() => desk.view.set({ removing: null })} />;
  if (streamsOf !== null)
    return <StreamsDialog termId={streamsOf} onClose={() => desk.view.set({ streamsOf: null })} />;
  if (dialog === 'help') return <HelpDialog onClose={() => desk.view.set({ dialog: null })} />;
  if (dialog === 'grants') return <GrantsDialog onClose={() => desk.view.set({ dialog: null })} />;
  if (dialog === 'topology') return <TopologyDialog onClose={() => desk.view.set({ dialog: null })} />;
  return dialog === 'links' ? <LinksDialog onClose={() => desk.view.set({ dialog: null })} /> : null;
}
