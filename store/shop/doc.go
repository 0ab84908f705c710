// Package shop holds products, carts, and orders with the stock that serves them.
package shop
