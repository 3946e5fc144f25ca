import { useQuery } from '@tanstack/react-query';
import { MyMeetingPage } from '../features/meetings/list/MyMeetingPage.tsx';
import { appsQuery, AppStrip } from '../features/startApps/index.ts';
import './startPage.css';

/**
 * The start page of people: the apps of their organisation, and their meetings. It loads as a whole and is shown as
 * soon as the apps are known, so that they do not push the meetings down.
 */
export function StartPage() {
  const { isPending } = useQuery(appsQuery);
  return (
    <div className="start-page" data-waiting={isPending}>
      <AppStrip />
      <MyMeetingPage />
    </div>
  );
}
