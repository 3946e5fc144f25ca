/**
 * The look, in one place: antd's theme is derived from these, and `base.css` repeats them for plain CSS (a test keeps
 * the two equal). Text colours reach 4.5:1 on both backgrounds, control borders 3:1.
 */
export const tokens = {
  primary: '#1458a6',
  primaryStrong: '#0e4280',
  primarySoft: '#e8f0fa',
  background: '#f3f5f8',
  surface: '#ffffff',
  text: '#1a2634',
  textSecondary: '#52606f',
  border: '#dce2e9',
  controlBorder: '#8592a1',
  sidebar: '#12263f',
  sidebarActive: '#24476f',
  sidebarText: '#cfdae8',
  success: '#1b7242',
  warning: '#8a5300',
  danger: '#b3261e',
} as const;

export const RADIUS = 6;
export const FONT =
  "system-ui, -apple-system, 'Segoe UI', 'PingFang SC', 'Microsoft " +
  "YaHei', 'Noto Sans CJK SC', 'Noto Sans SC', sans-serif";
