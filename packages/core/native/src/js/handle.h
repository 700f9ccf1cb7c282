// What the objects that JavaScript holds have in common.
#pragma once

#include "addon.h"

namespace ffma {

/// An object that only the addon can make, and that is recognised when it comes back as an argument. `T` has a
/// `type_tag`, and a constructor from its own `Init`.
template <class T>
class Handle : public Napi::ObjectWrap<T> {
 public:
  explicit Handle(const Napi::CallbackInfo& info) : Napi::ObjectWrap<T>(info) {
    info.This().As<Napi::Object>().TypeTag(&T::type_tag);
  }

  template <class Init>
  static Napi::Object make(const Napi::FunctionReference& constructor, Init& init) {
    return constructor.New({Napi::External<Init>::New(constructor.Env(), &init)});
  }

  /// @throws TypeError for anything but such an object
  static T& from(const Napi::Value& value) {
    if (value.IsObject()) {
      const Napi::Object object = value.As<Napi::Object>();
      if (object.CheckTypeTag(&T::type_tag)) return *Napi::ObjectWrap<T>::Unwrap(object);
    }
    throw Napi::TypeError::New(value.Env(), "The argument is not a handle of the kind that is expected here.");
  }

  static Napi::Function define(Napi::Env env, const char* name,
                               const std::vector<Napi::ClassPropertyDescriptor<T>>& properties) {
    return Napi::ObjectWrap<T>::DefineClass(env, name, properties);
  }
};

/// What a constructor was given. @throws TypeError where JavaScript called it
template <class Init>
Init& init_of(const Napi::CallbackInfo& info) {
  if (info.Length() != 1 || !info[0].IsExternal()) {
    throw Napi::TypeError::New(info.Env(), "Handles are made by the addon only.");
  }
  return *info[0].As<Napi::External<Init>>().Data();
}

inline Failure closed(const char* what) { return {"FFMA_CLOSED", std::string("This ") + what + " is closed."}; }

/// A whole number of bytes. @throws Failure
inline size_t bytes_argument(const Napi::Value& value, const char* what) {
  const double number = value.IsNumber() ? value.As<Napi::Number>().DoubleValue() : -1;
  if (number >= 0 && number <= 9007199254740991.0 && number == static_cast<double>(static_cast<uint64_t>(number))) {
    return static_cast<size_t>(number);
  }
  throw Failure("FFMA_ARGUMENT", std::string(what) + " must be a whole number, at least 0.");
}

}  // namespace ffma
