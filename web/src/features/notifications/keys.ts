/** The names of what was read of notifications. */
export const noticeKeys = {
  all: ["notifications"],
  mentions: ["mentions"],
  settings: ["noticeSettings"],
  policy: ["notificationPolicy"],
  requests: ["notificationRequests"],
  /** The people whom the reader accepted. */
  accepted: ["acceptedSenders"],
} as const;
