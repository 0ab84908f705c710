package model_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/hibana-sns/hibana/model"
)

func date(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }

func TestMonth(t *testing.T) {
	t.Parallel()
	tests := []struct {
		month, prev model.Month
		start, end  time.Time
	}{
		{"2026-11", "2026-10", date(2026, 11, 1), date(2026, 12, 1)},
		{"2026-12", "2026-11", date(2026, 12, 1), date(2027, 1, 1)},
		{"2027-01", "2026-12", date(2027, 1, 1), date(2027, 2, 1)},
		{"2028-02", "2028-01", date(2028, 2, 1), date(2028, 3, 1)},
		{"2028-03", "2028-02", date(2028, 3, 1), date(2028, 4, 1)},
	}
	for _, test := range tests {
		if got := test.month.Start(); !got.Equal(test.start) {
			t.Errorf("%q.Start() = %v, want %v", test.month, got, test.start)
		}
		if got := test.month.End(); !got.Equal(test.end) {
			t.Errorf("%q.End() = %v, want %v", test.month, got, test.end)
		}
		if got := test.month.Prev(); got != test.prev {
			t.Errorf("%q.Prev() = %v, want %v", test.month, got, test.prev)
		}
		if got := model.MonthOf(test.end.Add(-1)); got != test.month {
			t.Errorf("MonthOf the last moment of %q = %q", test.month, got)
		}
	}
}

func TestMonthOfIsUTC(t *testing.T) {
	t.Parallel()
	tokyo := time.FixedZone("JST", 9*60*60)
	if got, want := model.MonthOf(time.Date(2027, 1, 1, 8, 59, 59, 0, tokyo)), model.Month("2026-12"); got != want {
		t.Errorf("MonthOf = %q, want %q", got, want)
	}
}

func TestMonthStartPanics(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("Start of something that is no month did not panic")
		}
	}()
	model.Month("November").Start()
}

func TestMonthsBetween(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		from, to time.Time
		want     []model.Month
	}{
		{"a moment", date(2026, 11, 1), date(2026, 11, 1), []model.Month{"2026-11"}},
		{"to the first moment of a month", date(2026, 10, 31), date(2026, 11, 1), []model.Month{"2026-11", "2026-10"}},
		{"to the last moment of a month", date(2026, 10, 1), date(2026, 11, 1).Add(-1), []model.Month{"2026-10"}},
		{"a year's turn", date(2026, 11, 30), date(2027, 1, 2), []model.Month{"2027-01", "2026-12", "2026-11"}},
		{"30 days over February", date(2027, 1, 31), date(2027, 3, 2), []model.Month{"2027-03", "2027-02", "2027-01"}},
		{"backwards", date(2026, 12, 1), date(2026, 11, 30), nil},
	}
	for _, test := range tests {
		if got := model.MonthsBetween(test.from, test.to); !slices.Equal(got, test.want) {
			t.Errorf("%s: MonthsBetween = %v, want %v", test.name, got, test.want)
		}
	}
}

func TestMonthsBetweenHoldsEveryMoment(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		from := time.UnixMilli(rapid.Int64Range(0, 4e12).Draw(t, "from"))
		span := time.Duration(rapid.Int64Range(0, int64(800*24*time.Hour)).Draw(t, "span"))
		some := from.Add(time.Duration(rapid.Int64Range(0, int64(span)).Draw(t, "some")))
		months := model.MonthsBetween(from, from.Add(span))
		if !slices.Contains(months, model.MonthOf(some)) {
			t.Errorf("MonthsBetween(%v, %v) = %v, without that of %v", from, from.Add(span), months, some)
		}
		for i, m := range months {
			if i > 0 && m != months[i-1].Prev() {
				t.Errorf("MonthsBetween = %v: %q does not follow", months, m)
			}
		}
		if !months[len(months)-1].End().After(from) || months[0].Start().After(from.Add(span)) {
			t.Errorf("MonthsBetween(%v, %v) = %v, which goes beyond", from, from.Add(span), months)
		}
	})
}
