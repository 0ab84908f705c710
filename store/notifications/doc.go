// Package notifications writes notification events, and groups them into the notifications that users see. It also
// keeps the users' notification settings, and the devices that receive notifications.
package notifications
