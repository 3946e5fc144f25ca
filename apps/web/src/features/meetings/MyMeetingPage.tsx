export function MyMeetingPage() {
  return null;
}
