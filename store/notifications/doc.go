// Package notifications writes notification events, and groups them into the notifications that people see. It also
// holds what a person wants to be notified of, and the devices that receive notifications.
package notifications
